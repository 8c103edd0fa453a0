"""What a small edit of a file replaced, in a line: `silent.go: 45 * time.Minute → 90 * time.Minute`."""

from __future__ import annotations

LINES, CHARACTERS = 1, 100
"""Lines and characters that differ on each side, at most: a small edit changes a value, a name or an import, while
longer ones write new code."""
BY, NOTHING = " → ", "(nothing)"
"""What stands between the replaced text and the new one, and instead of a new one after a deletion."""


def replaced_lines(path: str, old: str, new: str) -> str:
    """Return what an edit of *path* from *old* to *new* replaced, in a line; "" if it only adds, or is not small."""
    before, after = _lines(old), _lines(new)
    removed = [line for line in before if line not in after]
    added = [line for line in after if line not in before]
    sides = " ".join(removed), " ".join(added)
    if not removed or max(len(removed), len(added)) > LINES or max(map(len, sides)) > CHARACTERS:
        return ""
    name = "_".join(path.replace("\\", "/").rpartition("/")[2].split())
    return f"{name}: {sides[0]}{BY}{sides[1] or NOTHING}"


def _lines(text: str) -> list[str]:
    return [" ".join(words) for line in text.splitlines() if (words := line.split())]
