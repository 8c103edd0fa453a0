"""What is known and was said about pieces of code: nodes that name their files, and code of past sessions in them."""

from __future__ import annotations

from autology.core.code.answer import CodeAnswer
from autology.core.code.dialects import without_ending
from autology.core.documents.library import Library
from autology.core.rank import rank
from autology.core.recall.memory import Memory
from autology.model.entry import CODE
from autology.model.exchange import Chunk
from autology.model.hit import Source
from autology.model.query import Filter
from autology.text.counted import counted

NODES, CHUNKS = 10, 5
LOOKED_AT = 30
"""Pieces of past code with the name in them that are looked at, whether they are of one of the files."""


def explained(told: CodeAnswer) -> str:
    """Return how much of the code answers."""
    many = f"{len(told.links) + told.more:,} links that answer"
    if told.lists_unused:
        many = f"{counted(len(told.unused) + told.more, 'piece')} of code that nothing refers to"
    return f"the code graph of {told.files:,} files holds {many}"


def knowledge(library: Library, told: CodeAnswer) -> tuple[Source, ...]:
    """Return the nodes that name a file which *told* is about, current ones first."""
    if not told.paths:
        return ()
    naming = Filter(references=told.paths)
    return tuple(library.asked(lambda: library.graph.index.listed(naming, NODES, "")))


def conversations(memory: Memory, told: CodeAnswer) -> tuple[Chunk, ...]:
    """Return the code of past sessions that was written into one of these files and has the name that was asked for."""
    if not told.paths:
        return ()
    words = " ".join(dict.fromkeys(_called(symbol.name or symbol.path) for symbol in told.about))
    index = memory.index
    with index.held():
        found = rank(index, words, Filter(kind=CODE, in_sight=memory.in_sight()), LOOKED_AT, meant=False)
        chunks = index.chunks([hit.source.id for hit in found])
    ordered = [chunks[hit.source.id] for hit in found if hit.source.id in chunks]
    return tuple(chunk for chunk in ordered if chunk.path and _is_of(chunk.path, told.paths))[:CHUNKS]


def _called(name: str) -> str:
    return without_ending(name.rpartition("/")[2]).rpartition(".")[2]


def _is_of(path: str, paths: tuple[str, ...]) -> bool:
    plain = path.replace("\\", "/")
    return any(plain == each or plain.endswith(f"/{each}") for each in paths)
