"""One document: what its text says of itself, and how the index takes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from autology.core.content.codec import clean_passages
from autology.core.content.files import Stamp
from autology.core.index.catalogue import Named
from autology.core.index.changes import Put
from autology.model.entry import DOCUMENT, Entry, Link
from autology.model.passage import Passage
from autology.text.language.timestamps import stamp
from autology.text.markdown import links, tag_block
from autology.text.markdown.links import Mention, written
from autology.text.markdown.sections import sections
from autology.text.notes import frontmatter
from autology.text.notes.values import texts
from autology.text.notes.yaml_subset import Value, YamlError
from autology.text.redaction import redact
from autology.text.slug import key, slug, without_ending

TITLE_LIMIT = 300
"""Characters of a title; a longer heading is a paragraph."""
NAMES = 50
"""Aliases that a document may have."""
LINKS = 5_000
"""Links of one document that are kept: a page of more is a list that a program wrote."""

Resolve = Callable[[Mention, str], str]
"""Returns the id that a mention in the file at a path leads to, or what its author wrote."""


@dataclass(frozen=True, slots=True)
class Document:
    """What a markdown file says; its text behind the frontmatter begins at *body*."""

    id: str
    path: str
    title: str
    aliases: tuple[str, ...]
    authors: tuple[str, ...]
    mentions: tuple[Mention, ...]
    text: str
    body: int
    told: str

    @property
    def names(self) -> tuple[str, ...]:
        """What it can be called in a link or a question, beside its id and its path."""
        stem = _stem(self.path)
        return tuple(dict.fromkeys((self.title, *self.aliases, stem, slug(stem))))

    @property
    def named(self) -> Named:
        """Its names as they are compared, and as the index gives them back."""
        return Named(self.id, self.path, tuple(sorted({key(name) for name in self.names})))


def document(id: str, path: str, text: str) -> Document:
    """Return what *text*, the file at *path*, says."""
    body = tag_block.body_start(text)
    front = _front(text)
    given = front.get("title")
    title = given if isinstance(given, str) and given.strip() else _heading(text) or _stem(path)
    aliases = tuple(texts([front.get("aliases") or "", front.get("alias") or ""]))[:NAMES]
    told = "\n".join(texts({k: v for k, v in front.items() if k not in ("title", "tags", "tag")}))
    return Document(
        id=id,
        path=path,
        title=" ".join(title.split())[:TITLE_LIMIT],
        aliases=tuple(alias.strip() for alias in aliases if alias.strip()),
        authors=tuple(texts([front.get("author") or "", front.get("authors") or ""]))[:NAMES],
        mentions=links.mentions(text)[:LINKS],
        text=text,
        body=body,
        told=told,
    )


@dataclass(frozen=True, slots=True)
class Unlinked:
    """A document as it is read before all names are known that its links may lead to."""

    named: Named
    mentions: tuple[Mention, ...]
    put: Put

    def linked(self, resolve: Resolve) -> Put:
        """Return it as the index takes it, with its links, and secrets left out of them."""
        links = tuple(
            replace(link, description=redact(link.description)[0]) if link.description else link
            for link in edges(self.named, self.mentions, resolve)
        )
        return replace(self.put, entry=replace(self.put.entry, links=links))


def unlinked(shown: Document, at: Stamp, changed: Stamp) -> Unlinked:
    """Return *shown* in passages, with secrets left out; *changed* tells its time."""
    tags = [mention.target for mention in shown.mentions if mention.type == links.TAGGED_AS]
    when = stamp(datetime.fromtimestamp(min(max(changed.mtime_ns // 1_000_000_000, 0), 253402300799), UTC))
    entry = Entry(
        id=shown.id,
        kind=DOCUMENT,
        type=DOCUMENT,
        title=redact(shown.title)[0],
        created=when,
        modified=when,
        tags=tuple(dict.fromkeys(redact(tag)[0].lower() for tag in tags)),
        aliases=tuple(redact(name)[0] for name in shown.names),
        authors=tuple(redact(name)[0] for name in shown.authors),
        told=redact(f"{shown.told}\n{shown.path}")[0],
    )
    return Unlinked(shown.named, shown.mentions, Put(shown.path, at, entry, tuple(_clean(shown))))


def edges(shown: Named, mentions: Iterable[Mention], resolve: Resolve) -> tuple[Link, ...]:
    """Return the links of *shown*, each once, described as they were written (every way, a line each)."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for mention in mentions:
        if not mention.leads_to_a_file:
            found.setdefault((mention.type, tag_id(mention.target)), {})
            continue
        target = resolve(mention, shown.path)
        if target != shown.id:
            found.setdefault((mention.type, target), {})[written(mention)] = None
    return tuple(
        Link(type, target, description="\n".join(ways) or None) for (type, target), ways in found.items() if target
    )


def tag_id(tag: str) -> str:
    """Return what a tag is as the target of a link."""
    return slug(tag) or tag


def _front(text: str) -> Mapping[str, Value]:
    parts = frontmatter.split(text)
    if parts is None:
        return {}
    try:
        return frontmatter.read(parts.front)
    except YamlError:
        return {}  # somebody is at work in it; the text itself is found all the same


def _heading(text: str) -> str:
    """The first heading of the highest level, as long as one comes near the beginning."""
    head = sections(text[:20_000])
    top = next((section.title for section in head if section.level == 1 and section.title), "")
    return top or next((section.title for section in head[:1]), "")


def _stem(path: str) -> str:
    return without_ending(path.rpartition("/")[2])


def _clean(shown: Document) -> Iterator[Passage]:
    """Its passages, as places in the whole text."""
    for passage in clean_passages(shown.text[shown.body :]):
        yield replace(passage, start=passage.start + shown.body, stop=passage.stop + shown.body)
