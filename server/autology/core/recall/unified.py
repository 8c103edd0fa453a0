"""Unified search: conversations, code, decisions, nodes, documents and memories in one ranked list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from autology.core.documents.library import Library
from autology.core.index.catalogue import Edge
from autology.core.memory.memories import Memories
from autology.core.rank import rank
from autology.core.recall.ask import Ask, Question, understood
from autology.core.recall.code_context import CodeAnswer, CodeSearch, chunks_about, nodes_about
from autology.core.recall.discussions import degraded
from autology.core.recall.memory import Memory
from autology.core.recall.recollection import HIGHLIGHT, HIGHLIGHTS, trusted
from autology.model.entry import CODE, CONVERSATION, DECISION, DOCUMENT, MEMORY, NODE
from autology.model.errors import AutologyError, StorageError
from autology.model.exchange import TOOL, Chunk
from autology.model.hit import Source
from autology.model.memory import Scope
from autology.model.query import Filter
from autology.ranking.code_intent import GRAPH, KEYWORD, SEMANTIC, Aim, Intent
from autology.ranking.coverage import FederatedHit, comparable
from autology.ranking.fusion import Ranked
from autology.ranking.near_duplicates import folded
from autology.text.conversation.chunks import heading, searched
from autology.text.language.timestamps import stamp
from autology.text.markdown.snippets import phrases
from autology.text.markdown.tag_block import body_start
from autology.text.redaction import secrets_in, without

POOL = 50
"""Hits of each index that are merged."""
CONVERSATIONS, KNOWLEDGE, DOCUMENTS, MEMORIES = "conversations", "knowledge", "documents", "memory"
LEAST = 0.02
"""The relevance below which a hit only shares a common word with the question."""
SHARES = {(SEMANTIC,): 0.3, (SEMANTIC, KEYWORD): 0.2}
"""The weight of semantic scores by what an intent searches: 0.2 to 0.3 are equal in bench/quality, more is worse."""
SECOND = 0.75
"""The factor for a hit of another sort than requested (bench/unified, training: 0.6 to 0.75 are equal, 0.85 ranks a
component above the code that it names; held out, all are equal)."""
ROOTS, NEIGHBOURS = 5, 10
"""The best nodes whose relations are followed, and how many nodes that adds at most."""
RELATED = 0.8
"""The score of a related node, relative to the node that links to it, for questions about the graph; else half."""
RELATIONS = 10


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of a result, with the titles of its ends."""

    source: str
    source_title: str
    type: str
    target: str
    target_title: str


@dataclass(frozen=True, slots=True)
class Piece:
    """One result: a passage of a conversation, a node, a document or a memory, which may expire.

    *via* is the relation that led to it, *origin* the record that a node was imported from, *also* near-duplicates.
    """

    id: str
    type: str
    title: str
    text: str
    at: str
    relevance: float
    source: str
    place: str
    highlights: tuple[str, ...] = ()
    chunk: Chunk | None = None
    relations: tuple[Relation, ...] = ()
    via: str = ""
    origin: str = ""
    also: tuple[Piece, ...] = ()
    expires_at: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A suggested follow-up call: a tool, its arguments, and why."""

    tool: str
    arguments: Mapping[str, object]
    why: str


@dataclass(frozen=True, slots=True)
class Unified:
    """The results, best first; the query's intent; how it was searched; follow-up calls.

    *code* is the code graph's answer; *speaking* are the nodes that reference its files, and *written* what past
    sessions wrote into them.
    """

    query: str
    pieces: tuple[Piece, ...]
    intent: Intent
    explanation: str
    suggestions: tuple[Call, ...]
    total: int
    notes: tuple[str, ...] = field(default=())
    code: CodeAnswer | None = None
    speaking: tuple[Source, ...] = ()
    written: tuple[Chunk, ...] = ()

    @property
    def count(self) -> int:
        """How many were found."""
        return self.total


@dataclass(frozen=True, slots=True)
class Options:
    """How many results; merged or by sort; with relations or without; the available tools.

    Memories are limited to those of *org*, if set, and of the current project.
    """

    limit: int = 10
    merged: bool = True
    graph: bool = True
    groups: tuple[str, ...] = (CONVERSATIONS, KNOWLEDGE, DOCUMENTS)
    org: str | None = None

    def has(self, sort: str) -> bool:
        """Whether results of that sort are searched: memories only if their tools are enabled."""
        return sort != MEMORIES or sort in self.groups


SORTS = (CONVERSATIONS, KNOWLEDGE, DOCUMENTS, MEMORIES)


def search(
    memory: Memory,
    library: Library,
    query: str,
    options: Options,
    tool: str,
    state: str = "",
    code: CodeSearch | None = None,
    memories: Memories | None = None,
) -> Unified:
    """Return everything that answers *query*; *state* changes with the project's index. Raises ValidationError.

    With *code*, questions about callers, uses or members of code are answered from the code graph too; with *memories*,
    those of this project or of all projects are included.
    """
    ask = Ask(query, limit=options.limit)
    filters: dict[str, object] = {
        "limit": options.limit,
        "merge_results": options.merged,
        "include_graph": options.graph,
    }
    searched = memories if options.has(MEMORIES) else None
    if searched is not None:
        filters |= {"memories": True, "org": options.org}
    unified = memory.asked(
        tool, query, filters, lambda notes: _search(memory, library, searched, ask, options, notes), also=state
    )
    unified = _without_expired(unified, searched)
    if code is None or not options.graph:
        return unified
    if answer := code.answer(query):
        return _with_code(unified, answer, library, memory)
    notes = code.unanswered(query)
    return replace(unified, notes=(*unified.notes, *notes)) if notes else unified


def _with_code(unified: Unified, answer: CodeAnswer, library: Library, memory: Memory) -> Unified:
    """Return *unified* with the code graph's answer, and the nodes and conversations about its files."""
    return replace(
        unified,
        explanation=f"{unified.explanation.rstrip('.')}; {answer.summary}.",
        notes=tuple(dict.fromkeys((*unified.notes, *answer.notes))),
        code=answer,
        speaking=nodes_about(library, answer),
        written=_written(memory, answer),
    )


def _written(memory: Memory, answer: CodeAnswer) -> tuple[Chunk, ...]:
    try:
        return chunks_about(memory, answer)
    except StorageError:
        return ()  # the results say so


def _without_expired(unified: Unified, memories: Memories | None) -> Unified:
    """Return *unified* without memories that expired since the search."""
    if memories is None:
        return unified
    now = stamp(memories.now())
    pieces = tuple(piece for piece in unified.pieces if piece.expires_at is None or piece.expires_at > now)
    return replace(unified, pieces=pieces, total=unified.total - len(unified.pieces) + len(pieces))


def _search(
    memory: Memory,
    library: Library,
    memories: Memories | None,
    ask: Ask,
    options: Options,
    notes: Sequence[str],
) -> Unified:
    question = understood(ask, memory.now(), memory.index.projects, memory.in_sight())
    pieces, unread = _conversations(memory, question)
    pieces += library.asked(lambda: _project(library, question))
    if memories is not None and question.words:
        pieces += memories.asked(lambda: _memory_pieces(memories, question, options.org))
    query = question.words or ask.query
    scores = comparable(query, [FederatedHit(piece.relevance, _found_by(piece)) for piece in pieces])
    pieces = [
        replace(piece, relevance=round(score * _intent_factor(piece, question.intent), 4))
        for piece, score in zip(pieces, scores, strict=True)
    ]
    pieces = [piece for piece in pieces if piece.relevance >= LEAST]
    if options.graph:
        pieces += _related(library, pieces, question.intent)
    pieces = _ordered(pieces, options.merged)
    shown = tuple(_finished(library, piece, query, options.graph) for piece in pieces[: options.limit])
    less = unread or degraded(memory, question)
    messages = (*question.notes, *notes, *library.graph.notes, *less)
    return Unified(
        ask.query.strip(),
        shown,
        question.intent,
        _explanation(question, pieces, options),
        _suggestions(ask.query.strip(), question, shown, options),
        len(pieces),
        tuple(dict.fromkeys(messages)),
    )


# ---- the searches --------------------------------------------------------------------------------


def _conversations(memory: Memory, question: Question) -> tuple[list[Piece], tuple[str, ...]]:
    """Return the conversations that answer; if they cannot be read nothing, and why."""
    try:
        return _passages(memory, question), ()
    except StorageError as error:
        return [], (f"past conversations could not be searched: {error}",)


def _passages(memory: Memory, question: Question) -> list[Piece]:
    index = memory.index
    with index.keep_open():
        if question.words:
            ranked = rank(index, question.words, question.where, POOL, share=_share(question.intent))
            scores = {hit.source.id: hit.score for hit in ranked}
        else:
            scores = {source.id: 0.5 for source in index.listed(question.where, POOL, "")}
        chunks = index.chunks(list(scores))
    return [
        Piece(
            id,
            chunk.kind,
            "",
            chunk.text,
            chunk.at,
            trusted(scores[id], chunk, question.words),
            CONVERSATIONS,
            chunk.folder,
            chunk=chunk,
        )
        for id, chunk in chunks.items()
    ]


def _project(library: Library, question: Question) -> list[Piece]:
    """Return the project's nodes and documents that answer."""
    index = library.graph.index
    where = Filter(kind=None, kinds=(NODE, DOCUMENT), since=question.where.since, until=question.where.until)
    if question.words:
        ranked = rank(index, question.words, where, POOL, share=_share(question.intent))
    elif where.since or where.until:
        ranked = [Ranked(source, 0.5) for source in index.listed(where, POOL, "")]
    else:
        ranked = []
    return [piece for hit in ranked if (piece := _piece(library, hit.source, hit.score, hit.passage))]


def _piece(library: Library, source: Source, score: float, passage: tuple[int, int] | None) -> Piece | None:
    if source.kind == MEMORY:
        return None  # found by its own text, if at all
    try:
        if source.type == DOCUMENT:
            whole = library.stored(source).entry.text
            text = whole[slice(*passage)] if passage else whole[body_start(whole) :]
        else:
            whole = library.graph.stored(source).entry.content
            text = whole[slice(*passage)] if passage else whole
    except AutologyError:
        return None  # removed or broken since it was indexed
    kind = DOCUMENTS if source.type == DOCUMENT else KNOWLEDGE
    piece = Piece(source.id, source.type, source.title, text.strip(), source.modified, score, kind, source.path)
    return replace(piece, origin=source.origin or "")


def _found_by(piece: Piece) -> str:
    """Return how a result was found: code matches what was requested, too."""
    chunk = piece.chunk
    if chunk is None:
        return f"{piece.title}\n{piece.text}"
    # A tool's output answers by its own words, not by the question that it followed.
    return chunk.text if chunk.trust == TOOL else searched(heading(chunk), chunk.path, chunk.text)


def _memory_pieces(memories: Memories, question: Question, org: str | None) -> list[Piece]:
    """Return the memories that answer, of the current project and of none, without expired ones."""
    here = memories.default_scope().project
    now = stamp(memories.now())
    time = question.where
    where = Filter(kind=MEMORY, placed=True, alive_at=now, since=time.since, until=time.until)
    by_id: dict[str, Ranked] = {}
    # Those of this project first: the user may have many of others.
    for scope in (Scope(org=org, project=here), Scope(org=org)):
        for hit in rank(
            memories.index, question.words, replace(where, scope=scope), POOL, share=_share(question.intent)
        ):
            if hit.source.scope_project in (None, here):
                by_id.setdefault(hit.source.id, hit)
    hits = {hit.source.id: hit for hit in sorted(by_id.values(), key=lambda hit: -hit.score)[:POOL]}
    pieces = []
    for memory, source in memories.readable([hit.source for hit in hits.values()]):
        if memory.expired(now) or memory.scope.project not in (None, here) or not Scope(org=org).covers(memory.scope):
            continue  # rewritten since it was indexed
        span = hits[source.id].passage or (0, len(memory.content))
        text = without(memory.content, secrets_in(memory.content), *span).strip()
        piece = Piece(
            source.id, source.type, source.title, text, source.modified, hits[source.id].score, MEMORIES, source.path
        )
        pieces.append(replace(piece, expires_at=memory.expires_at))
    return pieces


def _related(library: Library, pieces: Sequence[Piece], intent: Intent) -> list[Piece]:
    """Return nodes that the best nodes among *pieces* are related to, and that are not among them."""
    roots = sorted((p for p in pieces if p.source == KNOWLEDGE), key=lambda piece: -piece.relevance)[:ROOTS]
    if not roots:
        return []
    worth = RELATED if GRAPH in intent.searches else RELATED / 2
    best = {piece.id: piece for piece in roots}
    ids = {piece.id for piece in pieces}
    added: dict[str, tuple[float, str]] = {}
    for edge in library.graph.index.edges(list(best)):
        for root, other, out in ((edge.source, edge.target, True), (edge.target, edge.source, False)):
            if root in best and other not in ids:
                text = f"{best[root].title} —[{edge.type}]→ it" if out else f"it —[{edge.type}]→ {best[root].title}"
                added[other] = max(added.get(other, (0.0, "")), (worth * edge.confidence * best[root].relevance, text))
    first = dict(sorted(added.items(), key=lambda item: (-item[1][0], item[0]))[:NEIGHBOURS])
    sources = library.graph.index.by_ids(list(first))
    pairs = [(_piece(library, source, first[id][0], None), first[id][1]) for id, source in sources.items()]
    return [replace(piece, relevance=round(piece.relevance, 4), via=via) for piece, via in pairs if piece]


# ---- one list ------------------------------------------------------------------------------------


def _share(intent: Intent) -> float:
    return SHARES.get(tuple(name for name in intent.searches if name != GRAPH), 0.25)


def _intent_factor(piece: Piece, intent: Intent) -> float:
    """Return the factor of *piece* for the requested sort of result; 1 if none was requested."""
    wanted = _WANTED.get(intent.aim, ()) if intent.confidence > UNSURE else ()
    return 1.0 if not wanted or piece.type in wanted or piece.source in wanted else SECOND


UNSURE = 0.5
_WANTED: Mapping[Aim, tuple[str, ...]] = {
    Aim.FIND_CODE: (CODE,),
    Aim.RECALL_DISCUSSION: (CONVERSATION, DECISION),
    Aim.TRACE_DEPENDENCIES: (CODE, KNOWLEDGE),
    Aim.UNDERSTAND_STRUCTURE: (KNOWLEDGE, DOCUMENTS),
}
_GROUPS = (CONVERSATION, CODE, DECISION, KNOWLEDGE, DOCUMENTS, MEMORIES)


def _ordered(pieces: Iterable[Piece], merged: bool) -> list[Piece]:
    """Return *pieces* best first, duplicates folded; one sort after another unless *merged*."""
    best: list[Piece] = []
    texts: list[tuple[str, str]] = []
    for piece in sorted(pieces, key=lambda piece: (-piece.relevance, piece.title, piece.id)):
        session = piece.chunk.session if piece.chunk else piece.place
        text = " ".join(piece.text.split())
        if not any(session == other and text in whole for other, whole in texts):
            texts.append((session, text))
            best.append(piece)
    best = _folded(best)
    if merged:
        return best
    return sorted(
        best, key=lambda piece: _GROUPS.index(piece.type if piece.type in _GROUPS[:3] and piece.chunk else piece.source)
    )


def _folded(pieces: Sequence[Piece]) -> list[Piece]:
    """Return *pieces* with near-duplicates folded into one: a node before the record that it was imported from."""
    first = [at if place is None else place for at, place in enumerate(folded([piece.text for piece in pieces]))]
    nodes = {piece.origin: at for at, piece in enumerate(pieces) if piece.origin}
    for at, piece in enumerate(pieces):
        node = nodes.get(piece.place) if piece.source == DOCUMENTS else None
        if node is not None:
            one, other = sorted((first[at], first[node]))
            first = [one if index == other else index for index in first]
    groups: dict[int, list[Piece]] = {}
    for at, piece in zip(first, pieces, strict=True):
        groups.setdefault(at, []).append(piece)
    return [_standing(group) for group in groups.values()]


def _standing(group: Sequence[Piece]) -> Piece:
    best = next((piece for piece in group if piece.source == KNOWLEDGE), group[0])
    others = tuple(piece for piece in group if piece is not best)
    return replace(best, relevance=group[0].relevance, also=others) if others else best


def _finished(library: Library, piece: Piece, query: str, graph: bool) -> Piece:
    shown = tuple(phrases(piece.text, query, HIGHLIGHTS, HIGHLIGHT))
    relations = _relations(library, piece.id) if graph and piece.source == KNOWLEDGE else ()
    return replace(piece, highlights=shown, relations=relations)


def _relations(library: Library, id: str) -> tuple[Relation, ...]:
    edges: Sequence[Edge] = library.graph.index.edges([id], limit=RELATIONS)
    titles = library.graph.titles(sorted({end for edge in edges for end in (edge.source, edge.target)}))
    return tuple(
        Relation(edge.source, titles.get(edge.source, ""), edge.type, edge.target, titles.get(edge.target, ""))
        for edge in edges
    )


# ---- explanation and suggestions -----------------------------------------------------------------


def _explanation(question: Question, pieces: Sequence[Piece], options: Options) -> str:
    """Return how it was searched, as text."""
    intent = question.intent
    sure = "indicated by its words" if intent.confidence > UNSURE else "by default"
    parts = [f"Taken as {intent.aim} ({sure})"]
    parts.append(
        f"by {', '.join(intent.searches)}" + ("" if KEYWORD in intent.searches else ", in addition to lexical search")
    )
    many = {name: sum(piece.source == name for piece in pieces) for name in SORTS if options.has(name)}
    parts.append("found " + ", ".join(f"{number} in {name}" for name, number in many.items()))
    if options.graph and any(piece.via for piece in pieces):
        parts.append(f"{sum(bool(piece.via) for piece in pieces)} of them by relations")
    parts.append("ranked together by relevance" if options.merged else "grouped by kind")
    return "; ".join([*parts, *question.notes]) + "."


def _suggestions(query: str, question: Question, pieces: Sequence[Piece], options: Options) -> tuple[Call, ...]:
    """Return follow-up calls; only of available tools."""
    calls: list[Call] = []
    offered = options.groups
    for piece in pieces[:3]:
        if piece.chunk and CONVERSATIONS in offered:
            arguments: dict[str, object] = {"chunk_id": piece.id, "include_adjacent": True}
            calls.append(Call("retrieve_memory_chunk", arguments, "shows the passage with its context"))
        elif piece.source == KNOWLEDGE and KNOWLEDGE in offered:
            calls.append(Call("autology_query", {"query": piece.id, "detail": "full"}, f"reads “{piece.title}” whole"))
        elif piece.source == MEMORIES:
            calls.append(Call("memory_find", {"query": piece.id, "mode": "fast"}, f"reads “{piece.title}” whole"))
        elif piece.source == DOCUMENTS and DOCUMENTS in offered:
            calls.append(Call("read_node_content", {"id": piece.id}, f"reads “{piece.title}” whole"))
    node = next((piece for piece in pieces if piece.source == KNOWLEDGE), None)
    if GRAPH in question.intent.searches and node and KNOWLEDGE in offered:
        calls.append(Call("autology_query", {"related_to": node.id}, f"lists nodes related to “{node.title}”"))
    if question.intent.aim is Aim.FIND_CODE and CONVERSATIONS in offered:
        calls.append(Call("search_code_history", {"query": query}, "searches only code"))
    filtered = question.span or question.where != Filter(kind=None, in_sight=question.where.in_sight)
    if not pieces and filtered and question.words:
        calls.append(Call("unified_memory_search", {"query": question.words}, "searches without the time filter"))
    return tuple(calls[:SUGGESTED])


SUGGESTED = 4
