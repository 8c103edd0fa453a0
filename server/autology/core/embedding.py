"""Bringing passages to the model that the user chose, a few at a time, while search goes on with what there is."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from autology.core.ports import Due, Index, Progress, Put
from autology.model.errors import EncodingError

BATCH = 16
"""Passages a transaction: what is repeated after a kill, one second of work."""
PATIENCE = 25.0
"""Seconds to wait for passages that another process has taken, a little longer than they are its own."""
_PAUSE = 0.2

Reader = Callable[[str], Put | None]
"""Returns the file at a path as the index takes it, or None where it cannot be read."""


def embed(index: Index, readers: Mapping[str, Reader], seconds: float) -> bool:
    """Encode passages that wait, of the kinds that there are *readers* for; return whether any may be left.

    At most about *seconds*, one batch at least.

    Raises:
        EncodingError: the model cannot be used after all; the index goes on without it.
    """
    end = time.monotonic() + seconds
    while due := index.due(tuple(readers), BATCH):
        index.embed(_texts(due, readers))
        if time.monotonic() > end:
            return True
    return False


def embed_few(index: Index, readers: Mapping[str, Reader]) -> None:
    """Encode what waits if it is little, so that whoever asks now finds what was just written; else nothing."""
    state = [index.embedded(kind) for kind in readers]
    if 0 < sum(each.total - each.done for each in state) <= BATCH:
        with suppress(EncodingError):  # the answer says it
            embed(index, readers, 0.0)


def embed_all(index: Index, readers: Mapping[str, Reader], progress: Progress) -> int:
    """Encode every passage that waits, with those that other processes are at; return how many were encoded here.

    Raises:
        EncodingError: the model cannot be used after all.
    """
    done, waited = 0, 0.0
    while waited < PATIENCE:
        due = index.due(tuple(readers), BATCH)
        if due:
            index.embed(_texts(due, readers))
            done, waited = done + len(due), 0.0
        left = sum(state.total - state.done for state in map(index.embedded, readers))
        if not left:
            break
        progress(done, done + left)
        if not due:
            time.sleep(_PAUSE)
            waited += _PAUSE
    return done


def _texts(due: Sequence[Due], readers: Mapping[str, Reader]) -> dict[int, str | None]:
    """Return the text of each passage; None where its file no longer has it: the index is brought up to that anyway."""
    read: dict[tuple[str, str], dict[tuple[int, int], str]] = {}
    for kind, path in dict.fromkeys((each.kind, each.path) for each in due):
        put = readers[kind](path)
        spans = [(passage.start, passage.stop) for passage in put.passages] if put else []
        read[kind, path] = dict(zip(spans, put.texts if put else [], strict=True))
    return {each.number: read[each.kind, each.path].get(each.span) for each in due}
