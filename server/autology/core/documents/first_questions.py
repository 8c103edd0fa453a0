"""Questions that a project's documents answer now: for a project without records, or with few."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from autology.core.documents.library import NEAR, Library
from autology.core.documents.search import DocumentHit, search
from autology.model.entry import DOCUMENT
from autology.model.hit import Source
from autology.model.query import Filter

TRIED = 9
"""Documents that questions are tried on: one is asked only if search finds its document."""
_ORDINARY = re.compile(
    r"(?:readme|index|changelog|license|contributing|code of conduct|security|table of contents)\b", re.IGNORECASE
)
_WORDS = 2
"""Words of a title that says what its document is about."""


@dataclass(frozen=True, slots=True)
class DocumentAnswer:
    """A question, and the document that answers it."""

    question: str
    hit: DocumentHit


def document_answers(library: Library, count: int) -> list[DocumentAnswer]:
    """Return up to *count* questions with their answers, from the nearest documents."""
    answers: list[DocumentAnswer] = []
    library.catch_up()
    for source in _worth_asking(library):
        if len(answers) >= count:
            break
        question = f"what do we know about {source.title.rstrip('?.! …')}?"
        hits = search(library, question, 1).hits
        if hits and hits[0].source.id == source.id and not any(question == one.question for one in answers):
            answers.append(DocumentAnswer(question, hits[0]))
    return answers


def _worth_asking(library: Library) -> Iterator[Source]:
    """Yield documents whose titles say what they are about, those in the root and its docs first."""
    listed = library.index.listed(Filter(kind=DOCUMENT, type=DOCUMENT), -1, "")
    titled = [one for one in listed if len(one.title.split()) >= _WORDS and not _ORDINARY.match(one.title)]
    titled.sort(key=lambda one: (one.path.partition("/")[0].lower() not in NEAR, one.path.count("/"), one.path))
    yield from titled[:TRIED]
