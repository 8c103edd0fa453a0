"""Checks that phrases and names which readers stumbled over do not return, in code or in texts for users."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import dropwhile, islice, takewhile
from pathlib import Path
from typing import NamedTuple

PHRASES = Path(__file__).with_name("wording.txt")
READ_BY_USERS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/guide/*.md", "skills/*/*.md", "agents/*.md")
CODE = "server/autology/**/*.py"
SCRIPTS = "server/autology/**/*.js"
NAMES = "[names]"
"""The line after which the list has the words to avoid as names of variables, functions and fields."""


class Phrase(NamedTuple):
    """A pattern to avoid, what to write instead, and how often it may still occur in the code."""

    pattern: re.Pattern[str]
    instead: str
    allowed: int


def phrases(lines: Iterable[str]) -> list[Phrase]:
    """Parse the phrases: `pattern | instead | allowed` on each line, comments start with `#`."""
    rows = takewhile(lambda row: row[0] != NAMES, _rows(lines))
    return [Phrase(re.compile(row[0], re.IGNORECASE), row[1], int(row[2])) for row in rows]


def avoided_names(lines: Iterable[str]) -> dict[str, str]:
    """Parse the names to avoid, each with what to write instead: `name | instead` on each line after `[names]`."""
    rows = dropwhile(lambda row: row[0] != NAMES, _rows(lines))
    return {name: instead for name, instead in islice(rows, 1, None)}  # noqa: C416 - checks that each row is a pair


def _rows(lines: Iterable[str]) -> Iterator[list[str]]:
    return ([cell.strip() for cell in line.split(" | ")] for line in lines if line.strip() and not line.startswith("#"))


def problems(root: Path, avoided: Iterable[Phrase]) -> Iterator[str]:
    """Yield each phrase that occurs in a text for users, and each that occurs in the code more often than allowed."""
    prose = {path: path.read_text(encoding="utf-8") for glob in READ_BY_USERS for path in sorted(root.glob(glob))}
    code = {path: path.read_text(encoding="utf-8") for glob in (CODE, SCRIPTS) for path in sorted(root.glob(glob))}
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


def names_to_avoid(root: Path, avoided: Mapping[str, str]) -> Iterator[str]:
    """Yield each place where the code gives one of the avoided names; uses and texts are not looked at."""
    for path in sorted(root.glob(CODE)):
        yield from _named(root, path, avoided, _python_names(path.read_text(encoding="utf-8")))
    pattern = _script_pattern(avoided)
    for path in sorted(root.glob(SCRIPTS)):
        yield from _named(root, path, avoided, _script_names(path.read_text(encoding="utf-8"), pattern))


def _named(root: Path, path: Path, avoided: Mapping[str, str], names: Iterable[tuple[str, int]]) -> Iterator[str]:
    for name, line in names:
        if name in avoided:
            yield f"{path.relative_to(root)}:{line}: the name '{name}': write {avoided[name]}"


def _python_names(text: str) -> Iterator[tuple[str, int]]:
    """Yield every name that Python code binds, without leading underscores, with its line."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name.lstrip("_"), node.lineno
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name.lstrip("_"), node.lineno


def _script_pattern(avoided: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for declarations of *avoided* names: close enough to the grammar for code that is formatted."""
    before = r"(?:\b(?:const|let|var|function\*?|class)\s+|\bthis\.|\.\.\.|[({\[,]\s*)"
    return re.compile(rf"{before}(?P<name>{'|'.join(avoided)})(?=\s*(?:[,()}}\]=;]|of\b|in\b|$))", re.MULTILINE)


def _script_names(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, int]]:
    """Yield the declarations in a script, with their lines; comments and strings are blanked first."""
    code = _SCRIPT_TEXT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for match in pattern.finditer(code):
        yield match["name"], code.count("\n", 0, match.start("name")) + 1


_SCRIPT_TEXT = re.compile(r"(?<![:\\])//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)


def main() -> int:
    """Print the problems; return 1 if there are any."""
    lines = PHRASES.read_text(encoding="utf-8").splitlines()
    root, avoided = PHRASES.resolve().parents[1], phrases(lines)
    listed = [*problems(root, avoided), *names_to_avoid(root, avoided_names(lines))]
    for problem in listed:
        print(problem)
    return 1 if listed or not avoided else 0


if __name__ == "__main__":
    sys.exit(main())
