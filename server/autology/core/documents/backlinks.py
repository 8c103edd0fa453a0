"""The sentences in which notes, records and documents link to a note or a document."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from autology.core.documents.library import Library
from autology.core.index.catalogue import Edge
from autology.model.entry import NODE
from autology.model.errors import DocumentNotFoundError, NotFoundError, StorageError
from autology.model.hit import Source
from autology.text.documents import reading
from autology.text.markdown.links import TAG, Mention, written
from autology.text.markdown.quoting import Quote, quote
from autology.text.records.mentions import references
from autology.text.slug import key, last_part, without_ending, without_fragment

SOURCES = 60
"""Maximum texts read for one note: one of two kilobytes takes some 0.5 ms."""
QUOTES = 3
"""Maximum sentences of each text."""
LONGEST = 300_000
"""Maximum characters read of a text."""

Span = tuple[int, int]


def backlinks(library: Library, target: Source, edges: Sequence[Edge]) -> Mapping[str, Sequence[Quote]]:
    """Return the sentences that link to *target* by the id of their text; *edges* are the links that lead to it.

    Texts that link to it without a sentence, as in their metadata, are not among them.
    """
    stated: dict[str, set[tuple[str, str]]] = {}
    for edge in edges:
        spellings = (edge.description or "").split("\n")
        stated.setdefault(edge.source, set()).update((edge.type, spelling) for spelling in spellings)
    ids = list(stated)[:SOURCES]
    quotes = {}
    for id, source in library.graph.index.by_ids(ids).items():
        text = _text(library, source)
        spans = _spans(library, text, source, target, stated[id])
        if some := tuple(dict.fromkeys(quote(text, *span) for span in spans))[:QUOTES]:
            quotes[id] = some
    return quotes


def _text(library: Library, source: Source) -> str:
    with suppress(FileNotFoundError, NotFoundError, DocumentNotFoundError, StorageError):
        if source.kind == NODE:
            return library.graph.stored(source).entry.content[:LONGEST]
        return library.stored(source).entry.text[:LONGEST]
    return ""


def _spans(library: Library, text: str, source: Source, target: Source, stated: set[tuple[str, str]]) -> Sequence[Span]:
    """Return where *text* links to *target*, in order, each place once."""
    front = reading.body_start(text, source.path) if source.kind != NODE else 0
    spans = [
        (mention.start, mention.stop)
        for mention in reading.read(text, source.path).mentions
        if mention.start >= front and ((mention.type, written(mention)) in stated or _leads(mention, source, target))
    ]
    spans += _record_spans(library, text, source, target)
    apart: list[Span] = []
    for start, stop in sorted(spans):
        if not apart or start >= apart[-1][1]:
            apart.append((start, stop))
    return apart


def _leads(mention: Mention, source: Source, target: Source) -> bool:
    """Whether a link of a text leads to *target*, by its path, id or title; links of records are relations."""
    if mention.form == TAG:
        return False
    name = mention.target.strip()
    if _is_path(name, source, target):
        return True
    return key(last_part(name)) in (key(target.title), target.id) or key(name) == key(target.title)


def _record_spans(library: Library, text: str, source: Source, target: Source) -> Iterator[Span]:
    """Yield where a record names another one: by a link of its form, or by its number."""
    records = library.graph.records
    named, other = (records.get(source.path), records.get(target.path)) if records else (None, None)
    if records is None or named is None or other is None:
        return
    number = int(other.number) if other.number.isdecimal() else None
    for reference in references(text, records.manner(named).prefixes):
        by_number = number is not None and reference.number == number and named.manner == other.manner
        if by_number or (reference.target and _is_path(reference.target, source, target)):
            yield reference.start, reference.stop


def _is_path(name: str, source: Source, target: Source) -> bool:
    path = without_fragment(name.replace("\\", "/"))
    if not path or ":" in path:
        return False
    joined = posixpath.normpath(
        posixpath.join("" if path[0] == "/" else posixpath.dirname(source.path), path.lstrip("/"))
    )
    return joined == target.path or ("/" in joined and joined == without_ending(target.path))
