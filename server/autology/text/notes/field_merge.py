"""Three-way merge of one field's value: lists as sets, mappings key by key, else the newer side wins."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from autology.text.notes.yaml_subset import Value

OURS, THEIRS = 0, 1


class UndecidedError(Exception):
    """Both sides changed one value, and neither is known to be newer."""


def merge_value(base: Value | None, ours: Value | None, theirs: Value | None, newer: int | None) -> Value | None:
    """Return the merge of two changes of *base*; None stands for a missing field.

    A list gains the additions and loses the removals of both sides; an item that one side removed and the other changed
    stays. *newer* is the side that wins if both changed one value.

    Raises:
        UndecidedError: *newer* is None and needed.
    """
    if ours == theirs or theirs == base:
        return ours
    if ours == base:
        return theirs
    if isinstance(ours, list) or isinstance(theirs, list):
        merged = [*_merge_mappings(*(by_key(_listed(side)) for side in (base, ours, theirs)), newer=newer).values()]
        return merged or (None if ours is None or theirs is None else [])
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        return _merge_mappings(base if isinstance(base, Mapping) else {}, ours, theirs, newer=newer)
    return _chosen(ours, theirs, newer)


def item_key(item: Value) -> str:
    """Return the key that identifies an item of a list: of a relation its type and target, else all of it."""
    if isinstance(item, Mapping):
        type, target = item.get("type"), item.get("target")
        if isinstance(type, str) and isinstance(target, str):
            return json.dumps([type, target.lower()])
    return json.dumps(item, sort_keys=True)


def by_key(items: Sequence[Value]) -> dict[str, Value]:
    """Return *items* by their keys; two with the same key get different ones."""
    keyed = {item_key(item): item for item in items}
    return keyed if len(keyed) == len(items) else {json.dumps(item, sort_keys=True): item for item in items}


def _chosen(ours: Value, theirs: Value, newer: int | None) -> Value:
    if newer is None:
        raise UndecidedError
    return theirs if newer == THEIRS else ours


def _listed(value: Value | None) -> list[Value]:
    if isinstance(value, list):
        return value
    if value is None or value in ("", "~", "null"):
        return []
    return [value]


def _merge_mappings(
    base: Mapping[str, Value], ours: Mapping[str, Value], theirs: Mapping[str, Value], *, newer: int | None
) -> dict[str, Value]:
    merged: dict[str, Value] = {}
    for key in dict.fromkeys([*ours, *theirs]):
        value = merge_value(base.get(key), ours.get(key), theirs.get(key), newer)
        if value is not None:
            merged[key] = value
    return merged
