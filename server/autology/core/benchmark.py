"""Ranking a labelled set with the current engine: for measuring, and for comparing with others."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from autology.core.content.codec import clean_passages
from autology.core.content.files import Stamp
from autology.core.hybrid_search import rank
from autology.core.index import embedding_queue
from autology.core.index.changes import Put
from autology.core.index.index import Index
from autology.model.entry import NODE, Entry
from autology.model.query import Filter

BATCH = 500
"""Documents indexed in one transaction, as in a project."""


@dataclass(frozen=True, slots=True)
class LabelledDocument:
    """A document of a set; only questions of its *group* search it."""

    id: str
    title: str
    text: str
    group: str | None = None


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question of a set; the documents in *exclude* are not answers to it."""

    id: str
    text: str
    group: str | None = None
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """The ids that answer a question, best first, the seconds the search took, and the encoder it used."""

    question: str
    ids: tuple[str, ...]
    seconds: float
    encoder: str


def answers(
    documents: Sequence[LabelledDocument], questions: Sequence[LabelledQuestion], fresh: Callable[[], Index], most: int
) -> Iterator[Answered]:
    """Yield, for every question, at most *most* documents of its group; *fresh* makes an empty index.

    Raises:
        EncodingError: the model of that index failed.
    """
    by_group: dict[str | None, list[LabelledQuestion]] = {}
    for question in questions:
        by_group.setdefault(question.group, []).append(question)
    for group, members in by_group.items():
        index = fresh()
        with index.keep_open():
            fill(index, [document for document in documents if document.group == group])
            encoder = index.encoder_state(NODE).name
            for question in members:
                yield _answered(index, question, most, encoder)


def fill(index: Index, documents: Sequence[LabelledDocument]) -> None:
    """Index *documents* as if they were nodes, with the model of *index* too if it has one. Raises: EncodingError."""
    for at in range(0, len(documents), BATCH):
        index.apply([put(document) for document in documents[at : at + BATCH]])
    if index.encoder_state(NODE).pending:
        puts = {document.id: put(document) for document in documents}
        embedding_queue.embed_all(index, {NODE: puts.get}, lambda *_: None)


def read(document: Mapping[str, object]) -> LabelledDocument:
    """Parse a document of the shared format. Raises: KeyError, if it has no id."""
    text = str(document.get("text") or "")
    return LabelledDocument(str(document["id"]), str(document.get("title") or ""), text, _group(document))


def read_question(question: Mapping[str, object]) -> LabelledQuestion:
    """Parse a question of the shared format. Raises: KeyError, if it has no id."""
    exclude = question.get("exclude")
    excluded = tuple(map(str, exclude)) if isinstance(exclude, Sequence) else ()
    return LabelledQuestion(str(question["id"]), str(question.get("text") or ""), _group(question), excluded)


def _group(of: Mapping[str, object]) -> str | None:
    return str(of["group"]) if of.get("group") is not None else None


def _answered(index: Index, question: LabelledQuestion, most: int, encoder: str) -> Answered:
    begun = time.perf_counter()
    ranked = rank(index, question.text, Filter(), most + len(question.exclude))
    took = time.perf_counter() - begun
    ids = [hit.source.id for hit in ranked if hit.source.id not in question.exclude]
    return Answered(question.id, tuple(ids[:most]), took, encoder)


def put(document: LabelledDocument) -> Put:
    """Return *document* as an index entry of a node."""
    time = "2026-01-01T00:00:00Z"
    entry = Entry(document.id, NODE, "concept", document.title, time, time)
    return Put(document.id, Stamp(len(document.text), 1), entry, tuple(clean_passages(document.text)))
