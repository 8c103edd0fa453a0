"""A result's passage in full, with what came before and after and the nodes captured from it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autology.core.nodes.graph import Graph
from autology.core.recall.conversation_search import ConversationSearch
from autology.model.conversation import Chunk
from autology.model.errors import PassageNotFoundError, ValidationError
from autology.model.hit import Source
from autology.model.next_step import Action, Sentence, do
from autology.model.node import turn_of

SHORTEST = 8
"""Minimum digits of an abbreviated id."""
ADJACENT = 2
"""Chunks on either side."""
NODES = 20


@dataclass(frozen=True, slots=True)
class Opened:
    """A chunk with its neighbours, in order, and the nodes that were captured in its turns or its session."""

    chunk: Chunk
    before: tuple[Chunk, ...] = ()
    after: tuple[Chunk, ...] = ()
    nodes: tuple[Source, ...] = ()
    others: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()


def opened(search: ConversationSearch, graph: Graph | None, id: str, adjacent: bool) -> Opened:
    """Return the passage with that id or unambiguous id prefix, or the one that contains the turn with that id.

    Raises:
        ValidationError: that is not a passage id, or an ambiguous prefix.
        PassageNotFoundError: the id is unknown.
    """
    notes = tuple(search.refresh())
    with search.index.keep_open():
        chunk = _chunk(search, id)
        around = search.index.around(chunk.id, ADJACENT, ADJACENT) if adjacent else [chunk]
    at = next(at for at, other in enumerate(around) if other.id == chunk.id)
    own, others = captured(search, graph, chunk) if graph is not None else ((), ())
    return Opened(chunk, tuple(around[:at]), tuple(around[at + 1 :]), own, others, notes)


def _chunk(search: ConversationSearch, id: str) -> Chunk:
    id_ = id.strip().lower()
    if not _ID.fullmatch(id_):
        if _UUID.fullmatch(id_) and (matching := search.index.of_turn(id_)):
            return matching[0]
        if _UUID_PREFIX.match(id_):
            step = Sentence(do(Action.READ_NODE, id=id_[:36]), " reads a node.")
            raise ValidationError("chunk_id", f"'{id_[:36]}' is not a passage or turn id", step)
        fits = f"Give a result's id: 24 hexadecimal digits, or at least the first {SHORTEST} of them."
        raise ValidationError("chunk_id", f"'{id[:60]}' is not a passage id", fits)
    ids = search.index.ids_starting(id_, 4)
    if len(ids) > 1:
        raise ValidationError("chunk_id", f"'{id_}' is a prefix of several ids", f"Give a full id: {', '.join(ids)}.")
    chunks = search.index.chunks(ids)
    if not chunks:
        raise PassageNotFoundError(id_)
    return chunks[ids[0]]


def captured(search: ConversationSearch, graph: Graph, chunk: Chunk) -> tuple[tuple[Source, ...], tuple[Source, ...]]:
    """Return the nodes that were captured in the turns of *chunk*, and the others of its session."""
    ids = graph.read_current(lambda: graph.index.of_session([chunk.session], NODES))
    sources = graph.index.by_ids(ids)
    turns = {node.id: turn for node, _ in graph.readable(list(sources.values())) if (turn := turn_of(node))}
    own = [id for id in ids if id in turns and chunk.id in {other.id for other in search.index.of_turn(turns[id])}]
    return tuple(sources[id] for id in own), tuple(sources[id] for id in ids if id in sources and id not in own)


_ID = re.compile(rf"[0-9a-f]{{{SHORTEST},24}}")
_UUID_PREFIX = re.compile(r"[0-9a-f]{8}-")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
