"""An index in memory, with the same promises as the one in SQLite."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count, pairwise

from autology.core.content.files import Stamp
from autology.core.index.catalogue import Counts, Edge, Named
from autology.core.index.changes import Fault, Gone, Put
from autology.core.index.embedding_queue import QueuedPassage
from autology.core.index.vector_search import Encoder, EncoderState
from autology.model.entry import MEMORY, NODE, Entry
from autology.model.exchange import trusted_as
from autology.model.hit import Candidate, Place, Source
from autology.model.passage import Passage
from autology.model.query import Filter, Terms
from autology.ranking.quantized_vectors import SCALE, rescore
from autology.ranking.relevance_feedback import moved
from autology.text.tokens import apart, fold, index_text, is_run, title_words

_MADE = count(1)
TWICE = "has the same id as"


class MemoryIndex:
    """The :class:`~autology.core.index.index.Index` of a project that is on no disk."""

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._encoder = encoder
        self.lose()

    def lose(self) -> None:
        """Be replaced by an empty index, as one is that was deleted or damaged."""
        self._generation = f"memory-{next(_MADE)}"
        self._puts: dict[str, Put] = {}
        self._faults: dict[str, Fault] = {}
        self._remarks: dict[str, str] = {}

    @contextmanager
    def keep_open(self) -> Iterator[None]:
        yield

    def generation(self) -> str:
        return self._generation

    def stamps(self, kind: str = NODE) -> Mapping[str, Stamp]:
        puts = {path: put.stamp for path, put in self._puts.items() if put.entry.kind == kind}
        return puts | {path: fault.stamp for path, fault in self._faults.items() if fault.kind == kind}

    def prepare(self, change: Put) -> Put:
        return change

    def apply(self, changes: Iterable[Put | Fault | Gone]) -> None:
        for change in sorted(changes, key=lambda change: not isinstance(change, Gone)):
            former = self._puts.pop(change.path, None)
            self._faults.pop(change.path, None)
            if former and not (isinstance(change, Put) and former.entry.id == change.entry.id):
                # Another file may have that id to itself now: it is to be read again.
                self._faults = {path: fault for path, fault in self._faults.items() if TWICE not in fault.reason}
            if isinstance(change, Put):
                other = next((put for put in self._puts.values() if put.entry.id == change.entry.id), None)
                if other:
                    reason = f"{TWICE} {other.path}; give one of them a new id"
                    self._faults[change.path] = Fault(change.path, change.stamp, reason, change.entry.kind)
                else:
                    self._puts[change.path] = change
            elif isinstance(change, Fault):
                self._faults[change.path] = change

    def by_prefix(self, prefix: str, limit: int) -> Sequence[Source]:
        return [_source(put) for put in self._sorted(lambda put: put.entry.id.startswith(prefix))][:limit]

    def by_ids(self, ids: Sequence[str]) -> Mapping[str, Source]:
        return {put.entry.id: _source(put) for put in self._puts.values() if put.entry.id in set(ids)}

    def by_title(self, titles: Sequence[str]) -> Sequence[Source]:
        keys = {_key(title) for title in titles}
        return [_source(put) for put in self._sorted(lambda put: _key(put.entry.title) in keys)]

    def by_name(self, names: Sequence[str], kind: str) -> Sequence[Named]:
        keys = {_key(name) for name in names}
        return [named for named in self.named(kind) if keys & set(named.names)]

    def named(self, kind: str) -> Sequence[Named]:
        found = [put for put in self._puts.values() if put.entry.kind == kind]
        found.sort(key=lambda put: put.path)
        return [Named(p.entry.id, p.path, tuple(sorted({_key(a) for a in p.entry.aliases}))) for p in found]

    def set_metadata(self, name: str, text: str) -> None:
        self._remarks[name] = text

    def metadata(self, name: str) -> str:
        return self._remarks.get(name, "")

    def by_origin(self) -> Mapping[str, str]:
        found = {put.entry.origin: put.entry.id for put in self._puts.values()}
        return {origin: id for origin, id in found.items() if origin}

    def lexical_candidates(self, terms: Terms, where: Filter, every: bool, limit: int) -> Sequence[Candidate]:
        passing = self._sorted(lambda put: self._passes(put, where))
        if not terms:
            return []
        terms = terms if every else Terms(apart(terms.terms), terms.pairs)
        titles = [(put, None, _title_tokens(put), 4.0) for put in passing]
        bodies = [(put, span, tokens, 1.0) for put in passing for span, tokens in _body_tokens(put)]
        return [
            *_best("title", titles, terms, every, limit),
            *_best("body", bodies, terms, every, limit),
        ]

    def semantic_candidates(
        self, text: str, where: Filter, limit: int, like: Sequence[Place] = ()
    ) -> Sequence[Candidate]:
        own = self._encoder.encode([text])[0] if self._encoder else b""
        if not any(own):
            return []
        likely = [
            (place.score, row)
            for place in like
            for put in self._puts.values()
            if put.entry.id == place.id
            for passage, row in self._vectors(put)
            if (passage.start, passage.stop) == place.passage
        ]
        asked = moved(own, likely)
        found = []
        for put in self._sorted(lambda put: self._passes(put, where)):
            rows = [(passage, row) for passage, row in self._vectors(put) if any(row)]
            near = sorted(((rescore(asked, [row])[0] / SCALE**2, at) for at, (_, row) in enumerate(rows)), reverse=True)
            if near:
                passage, row = rows[near[0][1]]
                others = tuple(score for score, _ in near[1:])
                span = (passage.start, passage.stop)
                nearness = rescore(own, [row])[0] / SCALE**2
                found.append(Candidate(_source(put), "meaning", near[0][0], span, others, nearness))
        return sorted(found, key=lambda candidate: -candidate.score)[:limit]

    def _vectors(self, put: Put) -> list[tuple[Passage, bytes]]:
        return list(zip(put.passages, self._encoder.encode(put.texts) if self._encoder else [], strict=True))

    def vectors(self, where: Filter, limit: int) -> Sequence[tuple[str, bytes]]:
        passing = self._sorted(lambda put: self._passes(put, where))
        latest = sorted(passing, key=lambda put: put.entry.modified, reverse=True)
        if self._encoder is None:
            return []
        return [(put.entry.id, row) for put in latest for _, row in self._vectors(put) if any(row)][:limit]

    def encoder_state(self, kind: str | None = None) -> EncoderState:
        return EncoderState(self._encoder.name, self._encoder.share) if self._encoder else EncoderState()

    def claim(self, kinds: Sequence[str], limit: int) -> Sequence[QueuedPassage]:
        return []

    def embed(self, texts: Mapping[int, str | None]) -> None:
        assert not texts, "it encodes at once, so that nothing is ever due"

    def vector_count(self) -> int:
        if not self._encoder:
            return 0
        return sum(any(row) for put in self._puts.values() for _, row in self._vectors(put))

    def listed(self, where: Filter, limit: int, recent: str) -> Sequence[Source]:
        def rank(put: Put) -> tuple[bool, float]:
            node = put.entry
            return (node.status == "superseded", -(node.confidence * 0.2 + (0.1 if node.modified > recent else 0)))

        passing = self._sorted(lambda put: self._passes(put, where))
        passing.sort(key=lambda put: put.entry.title)
        passing.sort(key=lambda put: put.entry.modified, reverse=True)
        passing.sort(key=rank)
        return [_source(put) for put in (passing if limit < 0 else passing[:limit])]

    def edges(
        self, ids: Sequence[str] | None = None, limit: int | None = None, kind: str | None = NODE
    ) -> Sequence[Edge]:
        found = {(edge.source, edge.type, edge.target): edge for edge in self._edges(kind)}
        some = set(ids or ())
        kept = [found[key] for key in sorted(found) if ids is None or key[0] in some or key[2] in some]
        return kept[:limit]

    def linked(self, ids: Sequence[str], most: int) -> Sequence[Edge]:
        edges = [edge for edge in self._edges(None) if edge.type not in ("TAGGED_AS", "EXEMPLIFIES")]
        touching = [[edge for edge in edges if id in (edge.source, edge.target)] for id in ids]
        return [edge for found in touching if len(found) <= most for edge in found]

    def note_edges(self, ids: Sequence[str], most: int) -> Sequence[Edge]:
        every = sorted([*self._edges(NODE), *self._edges(MEMORY)], key=lambda e: (e.source, e.type, e.target))
        each = ([edge for edge in every if id in (edge.source, edge.target)][:most] for id in ids)
        found = {(edge.source, edge.type, edge.target): edge for edges in each for edge in edges}
        return [found[key] for key in sorted(found)]

    def spans(self, ids: Sequence[str]) -> Mapping[str, Sequence[tuple[int, int]]]:
        puts = [put for put in self._puts.values() if put.entry.id in set(ids) and put.passages]
        return {put.entry.id: tuple(sorted((p.start, p.stop) for p in put.passages)) for put in puts}

    def tags(self) -> Mapping[str, int]:
        return Counter(tag for put in self._puts.values() for tag in set(put.entry.tags))

    def tagged(self) -> Sequence[tuple[str, str]]:
        entries = [put.entry for put in self._puts.values() if put.entry.kind == NODE]
        return sorted((entry.id, tag) for entry in entries for tag in set(entry.tags))

    def sharing(
        self, tags: Sequence[str], references: Sequence[str], words: Sequence[str], limit: int
    ) -> Sequence[str]:
        keys = [("tag", tag) for tag in tags] + [("reference", path) for path in references]
        shared: dict[str, float] = {}
        for kind, key in [*keys, *(("word", fold(word)) for word in words)]:
            having = [put.entry.id for put in self._puts.values() if key in _keys(put.entry)[kind]]
            for id in having:
                shared[id] = shared.get(id, 0.0) + 1 / len(having)
        return sorted(shared, key=lambda id: (-shared[id], id))[:limit]

    def of_session(self, sessions: Sequence[str], limit: int) -> Sequence[str]:
        found = self._sorted(lambda put: put.entry.session is not None and put.entry.session in sessions)
        return [put.entry.id for put in sorted(found, key=lambda put: (put.entry.created, put.entry.id))][:limit]

    def counts(self) -> Counts:
        nodes = [put.entry for put in self._puts.values() if put.entry.kind == NODE]
        return Counts(
            nodes=Counter(node.type for node in nodes),
            statuses=Counter(node.status for node in nodes),
            relations=Counter(edge.type for edge in self.edges()),
            dangling=len(self.dangling(-1)),
            faults=len(self.faults()),
        )

    def faults(self, kind: str = NODE) -> Sequence[tuple[str, str]]:
        return sorted((path, fault.reason) for path, fault in self._faults.items() if fault.kind == kind)

    def changed(self) -> Mapping[str, str]:
        entries = sorted((put.entry.id, ", ".join(put.entry.changed)) for put in self._puts.values())
        return {id: told for id, told in entries if told}

    def dangling(self, limit: int) -> Sequence[Edge]:
        known = {put.entry.id for put in self._puts.values()}
        found = [edge for edge in self.edges() if edge.target not in known]
        return found if limit < 0 else found[:limit]

    # ---- inside -----------------------------------------------------------------------------------------

    def _edges(self, kind: str | None) -> Iterator[Edge]:
        for put in self._puts.values():
            for r in put.entry.links:
                if kind in (None, r.kind or put.entry.kind):
                    yield Edge(put.entry.id, r.type, r.target, r.confidence, r.description)

    def _sorted(self, keep: Callable[[Put], bool]) -> list[Put]:
        return sorted(filter(keep, self._puts.values()), key=lambda put: put.entry.id)

    def _passes(self, put: Put, where: Filter) -> bool:
        node = put.entry
        related = {edge.source if edge.target == where.related_to else edge.target for edge in self._near(where)}
        return (
            where.kind in (None, node.kind)
            and (not where.kinds or node.kind in where.kinds)
            and where.type in (None, node.type)
            and where.status in (None, node.status)
            and node.confidence >= (where.min_confidence or 0)
            and set(where.tags) <= set(node.tags)
            and (
                not where.references
                or any(_touches(own, asked) for own in node.references for asked in where.references)
            )
            and (where.related_to is None or node.id in related)
            and (where.ids is None or node.id in where.ids)
            and (where.path is None or put.path == where.path or put.path.startswith(f"{where.path}/"))
            and (where.author is None or _named_as(where.author) in map(_named_as, node.authors))
            and _was_said(node, where)
            and _is_for(node, where)
        )

    def _near(self, where: Filter) -> list[Edge]:
        return [] if where.related_to is None else list(self.edges([where.related_to]))


def _was_said(said: Entry, where: Filter) -> bool:
    return (
        (not where.projects or said.project in where.projects)
        and (where.since is None or said.modified >= where.since)
        and (where.until is None or said.created < where.until)
        and where.session in (None, said.session)
        and where.language in (None, said.language)
        and (where.trust is None or said.trust in trusted_as(where.trust))
    )


def _named_as(author: str) -> str:
    return " ".join(author.casefold().split())


def _is_for(memory: Entry, where: Filter) -> bool:
    own = {"org": memory.org, "project": memory.scope_project, "branch": memory.branch}
    return (
        (not where.types or memory.type in where.types)
        and (where.scope is None or all(own[name] == part for name, part in where.scope.given().items()))
        and (where.alive_at is None or memory.expires_at is None or memory.expires_at > where.alive_at)
    )


def _keys(node: Entry) -> dict[str, Sequence[str]]:
    return {"tag": node.tags, "reference": node.references, "word": title_words(node.title)}


def _touches(own: str, asked: str) -> bool:
    return own == asked or own.startswith(f"{asked}/") or asked.startswith(f"{own}/")


def _key(title: str) -> str:
    return " ".join(fold(title).split())


def _source(put: Put) -> Source:
    node = put.entry
    return Source(
        id=node.id,
        type=node.type,
        title=node.title,
        status=node.status,
        confidence=node.confidence,
        created=node.created,
        modified=node.modified,
        path=put.path,
        decision_status=node.decision_status,
        session=node.session,
        origin=node.origin,
        kind=node.kind,
        project=node.project,
        language=node.language,
        org=node.org,
        scope_project=node.scope_project,
        branch=node.branch,
        expires_at=node.expires_at,
    )


Span = tuple[int | None, int | None]
Text = tuple[Put, Span | None, list[str], float]


def _title_tokens(put: Put) -> list[str]:
    texts = [put.entry.title, *put.entry.tags, *dict.fromkeys(passage.heading for passage in put.passages)]
    return index_text(" \n".join(texts)).split()


def _body_tokens(put: Put) -> Iterator[tuple[Span, list[str]]]:
    for passage in put.passages:
        text = f"{put.entry.title}\n{passage.heading}\n{passage.text}"
        yield (passage.start, passage.stop), index_text(text).split()
    yield (None, None), index_text(put.entry.told).split()


def _best(field: str, texts: Sequence[Text], terms: Terms, every: bool, limit: int) -> list[Candidate]:
    found: dict[str, Candidate] = {}
    having = [sum(_times(group, tokens) > 0 for _, _, tokens, _ in texts) for group in terms.terms]
    for put, span, tokens, weight in texts:
        beside = 0 if every else sum(pair in set(pairwise(tokens)) for pair in terms.pairs)
        times = [_times(group, tokens) for group in terms.terms]
        if not (all(times) if every else any(times)):
            continue
        rarity = [math.log(1 + len(texts) / count) if count else 0.0 for count in having]
        score = (
            weight * sum(t / (t + 1) * rare for t, rare in zip(times, rarity, strict=True)) / (1 + len(tokens) / 200)
        )
        score += 0.25 * beside
        passage = None if span is None or span[0] is None else (span[0], span[1] or 0)
        known = found.get(put.entry.id)
        others = tuple(sorted((known.score, *known.others), reverse=True)) if known else ()
        if known is None or known.score < score:
            found[put.entry.id] = Candidate(_source(put), field, score, passage, others)
        else:
            found[put.entry.id] = known._replace(others=tuple(sorted((score, *known.others), reverse=True)))
    if every:
        return list(reversed(found.values()))[:limit]
    return sorted(found.values(), key=lambda candidate: (-candidate.score, candidate.source.id))[:limit]


def _times(group: tuple[str, ...], tokens: list[str]) -> int:
    if len(group) == 1 and len(group[0]) == 1 and is_run(group[0]):
        return sum(token.startswith(group[0]) for token in tokens)
    if len(group) == 1:
        return tokens.count(group[0])
    if is_run(group[0]):
        width = len(group)
        return sum(tuple(tokens[at : at + width]) == group for at in range(len(tokens) - width + 1))
    return tokens.count(group[-1]) or min(tokens.count(part) for part in group[:-1])
