"""Updating a node whose original moved or changed, keeping what was edited by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from autology.core.importing import facts
from autology.core.importing.originals import Original
from autology.model.node import Node
from autology.text.adr.record import Record

T = TypeVar("T")


def moved(node: Node, path: str) -> Node:
    """Return *node* with the path of its moved original."""
    former = str(node.extra.get("origin"))
    references = tuple(path if reference == former else reference for reference in node.references)
    return replace(node, references=references, extra={**node.extra, "origin": path})


def changed(node: Node, original: Original, record: Record, has: Callable[[str], bool], modified: str) -> Node:
    """Return *node* updated from its *original*, parsed as *record*.

    A field that was edited since the import stays; added tags and references stay too.
    """
    former = str(node.extra.get("origin"))
    before = facts.facts(facts.read(facts.text_of(node), former), original.inside, has, node.type)
    now = facts.facts(record, original.inside, has, node.type)
    extra = {key: value for key, value in node.extra.items() if key != "record_number"}
    return replace(
        node,
        title=_merged(node.title, before.title, now.title),
        content=now.content,
        tags=_merged_set(node.tags, before.tags, now.tags),
        status=_merged(node.status, before.status, now.status),
        decision_status=_merged(node.decision_status, before.decision_status, now.decision_status),
        references=_merged_set(node.references, (*before.references, former), now.references),
        modified=max(node.modified, modified),
        extra={**extra, **facts.origin_of(original, record)},
    )


def _merged(mine: T, before: T, now: T) -> T:
    return now if mine == before else mine


def _merged_set(mine: tuple[str, ...], before: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    merged = [item for item in mine if item in now or item not in before]
    return tuple(dict.fromkeys([*merged, *(item for item in now if item not in before)]))
