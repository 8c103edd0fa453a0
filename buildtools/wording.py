"""Checks that phrases which readers stumbled over do not return, in code or in texts for users."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

PHRASES = Path(__file__).with_name("wording.txt")
READ_BY_USERS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/guide/*.md", "skills/*/*.md", "agents/*.md")
CODE = "server/autology/**/*.py"


class Phrase(NamedTuple):
    """A pattern to avoid, what to write instead, and how often it may still occur in the code."""

    pattern: re.Pattern[str]
    instead: str
    allowed: int


def phrases(lines: Iterable[str]) -> list[Phrase]:
    """Parse the list: `pattern | instead | allowed` on each line, comments start with `#`."""
    rows = [line.split(" | ") for line in lines if line.strip() and not line.startswith("#")]
    return [Phrase(re.compile(row[0].strip(), re.IGNORECASE), row[1].strip(), int(row[2])) for row in rows]


def problems(root: Path, avoided: Iterable[Phrase]) -> Iterator[str]:
    """Yield each phrase that occurs in a text for users, and each that occurs in the code more often than allowed."""
    prose = {path: path.read_text(encoding="utf-8") for glob in READ_BY_USERS for path in sorted(root.glob(glob))}
    code = {path: path.read_text(encoding="utf-8") for path in sorted(root.glob(CODE))}
    if not prose or not code:
        yield f"nothing to check below {root}: run it in a clone"
    for phrase in avoided:
        for path, text in prose.items():
            for match in phrase.pattern.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path.relative_to(root)}:{line}: '{match[0]}': write {phrase.instead}"
        places = [
            f"{path.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}"
            for path, text in code.items()
            for match in phrase.pattern.finditer(text)
        ]
        if len(places) > phrase.allowed:
            shown = ", ".join(places[:5])
            count = f"occurs {len(places)} times, {phrase.allowed} allowed"
            yield f"'{phrase.pattern.pattern}' {count} ({shown}): write {phrase.instead}"
        elif len(places) < phrase.allowed:
            yield f"'{phrase.pattern.pattern}' occurs only {len(places)} times: lower its number in {PHRASES.name}"


def main() -> int:
    """Print the problems; return 1 if there are any."""
    avoided = phrases(PHRASES.read_text(encoding="utf-8").splitlines())
    listed = list(problems(PHRASES.resolve().parents[1], avoided))
    for problem in listed:
        print(problem)
    return 1 if listed or not avoided else 0


if __name__ == "__main__":
    sys.exit(main())
