"""Folding in answers: a record, and a note that was once imported from it and differs by now, are one hit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autology.model.hit import Source


def folded(sources: Sequence[Source]) -> Mapping[int, int]:
    """Return which of *sources*, best first, is folded into which better one, by position."""
    records = {source.path: at for at, source in enumerate(sources) if not source.path.startswith(".autology/")}
    if not records:
        return {}
    first: dict[str, int] = {}
    into: dict[int, int] = {}
    for at, source in enumerate(sources):
        name = source.path if source.path in records else source.origin
        if name not in records:
            continue
        assert name is not None
        if (better := first.setdefault(name, at)) != at:
            into[at] = better
    return into
