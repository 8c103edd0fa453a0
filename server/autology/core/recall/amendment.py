"""What later talk changed: what holds now comes before what it amended, which says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from autology.core.conversations.conversation_index import ConversationIndex
from autology.model.conversation import ASSISTANT, TOOL, Chunk, ChunkKind
from autology.model.query import Filter, Terms
from autology.ranking.amendments import Text, in_force
from autology.ranking.replacing import MAY_REPLACE
from autology.text.tokens import query_terms

COMPARED = 30
"""Passages that are compared with each other, the best ones."""
FOLLOWED, FOLLOWING = 4, 32
"""The best passages whose later changes are looked for, and how many later passages are compared with them."""
TERMS, READ = 8, 800
"""Words of each of these by which its matter is looked for, the rarest, and characters, from its end, that they are
taken from."""
SENTENCE = 240
"""Characters shown of the sentence that changes something."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """A later passage that changes an earlier one: its *id*, its stamp *at*, and the *sentence* that says so."""

    id: str
    at: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A text that may amend earlier ones, or be amended: in *order* of time, with its *relevance* to the question.

    Only texts of one *project* amend each other; "" goes with every project. *talk* is the session that it is from.
    """

    id: str
    at: str
    order: str
    text: str
    relevance: float
    project: str = ""
    talk: str = ""


@dataclass(frozen=True, slots=True)
class Replacing:
    """Which passages of talk may take the place of earlier ones: *pairs* of their ids, the later one first.

    Of those *unencoded*, by their ids, that is unknown: they have no vector yet.
    """

    pairs: frozenset[tuple[str, str]]
    unencoded: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Weighed:
    """The *relevances* of statements by id, what holds now ahead, and what was *amended*, by id.

    The passages *looked_up* change one of the statements, and did not answer the question by themselves. *replacing*
    is None without any vectors.
    """

    relevances: dict[str, float]
    amended: dict[str, Amendment]
    looked_up: tuple[Chunk, ...] = ()
    replacing: Replacing | None = None


def of_chunk(chunk: Chunk, relevance: float) -> Statement:
    """Return what *chunk* states; a tool's output amends nothing, for it holds whatever a program prints."""
    text = chunk.text if chunk.trust != TOOL else ""
    order = f"{chunk.at} {chunk.position:08}"
    return Statement(chunk.id, chunk.at, order, text, relevance, chunk.project, chunk.session)


def weighed(
    statements: Sequence[Statement],
    index: ConversationIndex | None = None,
    where: Filter | None = None,
    at_first: bool = False,
) -> Weighed:
    """Return how *statements* are weighed, with later passages of the *index* that change them and pass *where*.

    With *at_first*, what was amended is ahead of what amends it.
    """
    best = sorted(statements, key=lambda one: -one.relevance)[:COMPARED]
    later = _later(best, index, where) if index and where else {}
    every = [*best, *(of_chunk(chunk, 0.0) for chunk in later.values())]
    texts = [Text(one.order, one.text, one.project, one.talk) for one in every]
    rows = _rows(index, every) if index else ()
    relevances, changed, likelihoods = in_force(texts, [one.relevance for one in every], at_first, rows)
    amended = {
        every[earlier].id: Amendment(every[at].id, every[at].at, sentence[:SENTENCE])
        for earlier, (at, sentence) in changed.items()
        if every[earlier].id not in later
    }
    looked_up = {amendment.id for amendment in amended.values()} & later.keys()
    return Weighed(
        {one.id: round(relevance, 4) for one, relevance in zip(every, relevances, strict=True)},
        amended,
        tuple(later[id] for id in looked_up),
        _replacing(every, rows, likelihoods) if rows else None,
    )


def _replacing(
    statements: Sequence[Statement], rows: Sequence[bytes], likelihoods: Mapping[tuple[int, int], float]
) -> Replacing:
    """Return which of *statements* may replace which, by the *likelihoods* of pairs of their positions."""
    pairs = (positions for positions, likelihood in likelihoods.items() if likelihood >= MAY_REPLACE)
    return Replacing(
        frozenset((statements[later].id, statements[earlier].id) for later, earlier in pairs),
        frozenset(one.id for one, row in zip(statements, rows, strict=True) if one.talk and not row),
    )


def _rows(index: ConversationIndex, statements: Sequence[Statement]) -> list[bytes]:
    """Return the vectors of *statements*, empty for what is not talk; nothing if the index has none of them."""
    ids = tuple(one.id for one in statements if one.talk and one.relevance)
    rows = dict(index.vectors(Filter(kind=None, ids=ids), len(ids))) if ids else {}
    return [rows.get(one.id, b"") for one in statements] if rows else []


def _later(best: Sequence[Statement], index: ConversationIndex, where: Filter) -> dict[str, Chunk]:
    """Return later passages that speak of what the first of *best* do, by id."""
    followed = [one for one in best if one.text][:FOLLOWED]
    if not followed:
        return {}
    counts = Counter(term for one in best for term in set(query_terms(one.text[-READ:])))
    terms: dict[tuple[str, ...], None] = {}
    for one in followed:
        rare = sorted(dict.fromkeys(query_terms(one.text[-READ:])), key=lambda term: counts[term])
        terms.update(dict.fromkeys(rare[:TERMS]))
    projects = tuple({one.project for one in followed if one.project})
    after = replace(
        where,
        kind=ChunkKind.CONVERSATION.value,
        trust=ASSISTANT,
        since=min(one.at for one in followed),
        projects=projects or where.projects,
    )
    hits = index.lexical_candidates(Terms(tuple(terms)), after, False, FOLLOWING)
    known = {one.id for one in best}
    return dict(index.chunks([hit.source.id for hit in hits if hit.source.id not in known]))


def evidence(texts: Mapping[str, str], amended: Mapping[str, Amendment]) -> dict[str, str]:
    """Return *texts* by id, those that amend others with these: they answer what the *amended* ones did."""
    whole = dict(texts)
    for id, amendment in amended.items():
        if id in texts and amendment.id in texts:
            whole[amendment.id] += f"\n{texts[id]}"
    return whole
