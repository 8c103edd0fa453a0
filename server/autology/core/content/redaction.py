"""Texts as the index may hold them: with their secrets left out."""

from __future__ import annotations

from collections.abc import Iterator

from autology.model.passage import Passage
from autology.text.passages import passages
from autology.text.redact import redact, secrets_in, without


def clean(text: str) -> str:
    """Return *text* without its secrets."""
    return redact(text)[0]


def clean_passages(content: str) -> Iterator[Passage]:
    """Yield *content* in passages, with secrets left out, those too that reach from one passage into the next."""
    found = secrets_in(content)
    for passage in passages(content):
        if not found:
            yield passage
            continue
        text = without(content, found, passage.start, passage.stop)
        yield Passage(passage.start, passage.stop, clean(passage.heading), text)
