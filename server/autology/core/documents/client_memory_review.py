"""Where the client's own memory of a project repeats or contradicts a note."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from autology.core.documents.library import Library
from autology.core.nodes.search import NodeQuery, search
from autology.model.entry import DOCUMENT
from autology.model.errors import AutologyError, ValidationError
from autology.model.node import Node, NodeStatus
from autology.ranking.same_statement import compare
from autology.text.documents.client_memory import PREFIX, is_client_memory
from autology.text.language.sentences import sentences
from autology.text.notes.frontmatter import body_start
from autology.text.redaction import redact

LINES = 300
"""Maximum lines compared: the client loads 200 of its first text."""
NOTES = 5
"""Notes that a line is compared with, the likeliest ones."""
FEWEST = 4
"""Words of a statement; fewer are a heading or a name."""
CLOSE = 0.6
"""The similarity from which a number, a negation or an opposite is the difference between two statements."""
REPEATS, CONTRADICTS = "repeats", "contradicts"
_OPPOSED = ("numbers", "negation", "opposites")
_LINK = re.compile(r"\[([^\]\n]*)\]\([^)\n]*\)")
_MARK = re.compile(r"[ \t>]*(?:[-*+]|\d+[.)])?[ \t]*(?:\[[ xX]\][ \t]*)?")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the client's memory: the text that it lies in, its number from 1, as *written*, and its statement."""

    path: str
    number: int
    written: str
    statement: str

    @property
    def name(self) -> str:
        """How it is named in a command."""
        return f"{self.path.removeprefix(PREFIX)}:{self.number}"


@dataclass(frozen=True, slots=True)
class Finding:
    """A *line* that repeats or contradicts what *node* says, as in *there*."""

    line: Line
    how: str
    node: Node
    there: str


def findings(library: Library) -> list[Finding]:
    """Return where the client's memory repeats or contradicts notes in force, in its order."""
    library.catch_up()
    return [finding for line in list(_lines(library))[:LINES] if (finding := _finding(library, line))]


def line_called(library: Library, name: str) -> Line:
    """Return the line that *name* names, as in ``MEMORY.md:3``. Raises ValidationError."""
    library.catch_up()
    lines = {line.name: line for line in _lines(library)}
    if name not in lines:
        step = "List the lines that repeat or contradict a note, and name one of them."
        raise ValidationError("line", f"'{name[:100]}' names no statement in the client's memory", step)
    return lines[name]


def _lines(library: Library) -> Iterator[Line]:
    for named in library.index.named(DOCUMENT):
        if not is_client_memory(named.path):
            continue
        try:
            text = library.page(named.path).entry.text
        except (FileNotFoundError, AutologyError):
            continue
        begin = body_start(text)
        skipped = text[:begin].count("\n")
        for number, written in enumerate(text.split("\n"), 1):
            statement = _statement(written)
            is_statement = number > skipped and not written.lstrip().startswith(("#", "```", "|", "---"))
            if is_statement and len(statement.split()) >= FEWEST:
                yield Line(named.path, number, written.rstrip("\r"), redact(statement)[0])


def _finding(library: Library, line: Line) -> Finding | None:
    opposed: Finding | None = None
    for hit in search(library.graph, NodeQuery(query=line.statement[:1_000], limit=NOTES)).hits:
        if hit.node.status is NodeStatus.SUPERSEDED:
            continue
        for there in _statements(hit.node):
            verdict = compare(line.statement, there)
            if verdict.same:
                return Finding(line, REPEATS, hit.node, there)
            if verdict.differ in _OPPOSED and verdict.similarity >= CLOSE and opposed is None:
                opposed = Finding(line, CONTRADICTS, hit.node, there)
    return opposed


def _statements(node: Node) -> Iterator[str]:
    yield redact(node.title)[0]
    for line in node.content[:8_000].split("\n"):
        if line.lstrip().startswith("#"):
            continue
        for part in sentences(line):
            if len((statement := _statement(part)).split()) >= FEWEST:
                yield redact(statement)[0]


def _statement(written: str) -> str:
    """Return what a line or sentence says, without the marks of lists and links."""
    mark = _MARK.match(written)
    return " ".join(_LINK.sub(r"\1", written[mark.end() if mark else 0 :]).split())
