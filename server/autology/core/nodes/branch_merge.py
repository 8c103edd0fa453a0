"""Merging two branches' versions of a note, from bytes to bytes."""

from __future__ import annotations

# No other imports: git starts this for each note that two branches changed.
from autology.text.notes.note_merge import UnmergeableError, merge_note
from autology.text.notes.three_way_merge import MARKER, Merged

LONGEST = 8_000_000
"""Bytes of a note; a longer file is not a note."""


def merged(base: bytes, ours: bytes, theirs: bytes, marker: int = MARKER) -> tuple[bytes, Merged]:
    """Return the merged file as bytes, and how the merge went.

    Raises:
        UnmergeableError: one of them is too long or not a readable note; a plain text merge applies.
    """
    if any(len(data) > LONGEST for data in (base, ours, theirs)):
        raise UnmergeableError(f"longer than {LONGEST:,} bytes")
    try:
        texts = [data.decode("utf-8") for data in (base, ours, theirs)]
    except UnicodeDecodeError:
        raise UnmergeableError("not UTF-8") from None
    result = merge_note(texts[0], texts[1], texts[2], marker)
    return result.text.encode("utf-8"), result
