"""How long memories live: when an item expires, and which ones searches keep alive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from autology.core.memory.kinds import KINDS
from autology.core.memory.ports import Audit
from autology.model.argument_limits import LIFETIMES
from autology.model.memory import Kind, Memory
from autology.text.language.timestamps import moment, parse_stamp, stamp

EXTENSION_LEAD = timedelta(days=7)
"""How long before its expiry an item is extended: an expired one is no longer found."""
FIND_COUNT_PERIOD = timedelta(days=30)
"""The period over which finds of an item are counted."""
FIND_EVENT = "memory_find_complete"
"""The audit's event for a completed search, with the ids that it returned."""


def expires_at(kind: Kind, policy: str | None, since: str, data: Mapping[str, object]) -> str | None:
    """Return when an item stored at *since* expires, as a timestamp; None for never.

    By default, the context of a merged pull request counts from its merge.
    """
    if policy is None and kind is Kind.PR_CONTEXT and data.get("status") == "merged":
        with suppress(KeyError, ValueError, OverflowError):
            since = parse_stamp(str(data["merged_at"]))
    days = LIFETIMES[policy or KINDS[kind].lifetime]
    return None if days is None else stamp(moment(since) + timedelta(days=days))


def prolonged(memory: Memory, now: str) -> Memory | None:
    """Return *memory* with a new lifetime that begins *now*; None if that would not extend it."""
    until = expires_at(memory.kind, memory.ttl_policy, now, {})
    if memory.expires_at is None or (until is not None and until <= memory.expires_at):
        return None
    return replace(memory, expires_at=until)


def often_found(audit: Audit, since: str, minimum: int) -> frozenset[str]:
    """Return the ids of the items that searches since that time found at least *minimum* times, by the audit."""
    counts = Counter(id for entry in audit.entries(since) if entry.get("event") == FIND_EVENT for id in _ids(entry))
    return frozenset(id for id, times in counts.items() if times >= minimum)


def _ids(entry: Mapping[str, object]) -> Iterator[str]:
    ids = entry.get("ids")
    if isinstance(ids, list):
        yield from dict.fromkeys(id for id in ids if isinstance(id, str))
