"""A thing is recognised by one pattern: two that should find the same drift apart, and each has its own faults."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "server" / "autology"

# What the source of a pattern contains, and the modules that may contain it.
ONE_PATTERN = {
    # AsciiDoc and reStructuredText share marks with markdown; records keep fields in a fence.
    "fences": (
        r"[`~]\{\{?3",
        {"text/markdown/blocks.py", "text/records/asciidoc.py", "text/records/blocks.py"},
    ),
    "headings": (r"#\{\{?\d", {"text/markdown/blocks.py", "text/records/asciidoc.py", "text/records/rst.py"}),
    # The others also end what is not a sentence: a clause of a prompt, in hooks, a list's item or a table's row.
    "ends of sentences": (
        r"\[\.!\?(?!:)",
        {
            "text/language/sentences.py",
            "text/user_words.py",
            "text/adr/links.py",
            "core/records/states.py",
            "text/language/commitments.py",
        },
    ),
}
# A possessive or atomic group loses its place when something inside it can match in several ways, before Python 3.11.5
# (https://github.com/python/cpython/issues/106052). After a single set of letters, ++ and *+ are right.
POSSESSIVE_GROUP = re.compile(r"(?<![\\(])\)(?:[*+?]|\{\{?[\d,]+\}\}?)\+|\(\?>")


def sources() -> dict[str, str]:
    return {path.relative_to(PACKAGE).as_posix(): path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}


@pytest.mark.parametrize("kind", ONE_PATTERN)
def test_markdown_is_read_with_one_pattern_of_a_kind(kind: str) -> None:
    pattern, allowed = ONE_PATTERN[kind]
    having = {name for name, source in sources().items() if re.search(pattern, source)}
    assert having == allowed


def test_no_pattern_has_a_possessive_group() -> None:
    texts = sources() | {path.name: path.read_text("utf-8") for path in PACKAGE.rglob("*.txt")}
    assert "token_formats.txt" in texts
    lines = [f"{name}: {line}" for name, source in texts.items() for line in source.splitlines()]
    assert [line for line in lines if POSSESSIVE_GROUP.search(line)] == []
