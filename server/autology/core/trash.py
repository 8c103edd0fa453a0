"""Places in the trash: what was put there in the same second, or says the same, stays beside it."""

from __future__ import annotations

from collections.abc import Collection

from autology.core.ports import RootFiles, Stamp
from autology.model.errors import ConflictError

SAME_SECOND = 100


def free(files: RootFiles, place: str, taken: Collection[str] = ()) -> str:
    """Return *place*, or one beside it where a text or its record lies there, or *taken* has its text.

    Raises:
        ConflictError: too many are there.
    """
    for number in range(1, SAME_SECOND):
        found = place if number == 1 else f"{place}-{number}"
        if f"{found}.md" in taken:
            continue
        if files.scan_one(f"{found}.md") == Stamp(0, 0) and files.scan_one(f"{found}.json") == Stamp(0, 0):
            return found
    raise ConflictError(f"{place}.md")
