"""Reading one document for the index: its title, names, tags, links and passages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from autology.core.content.codec import clean, clean_passages
from autology.core.content.files import Stamp
from autology.core.index.catalogue import Named
from autology.core.index.changes import Put
from autology.model.conversation import ASSISTANT, USER
from autology.model.entry import CLIENT_MEMORY, DOCUMENT, INSTRUCTION, Entry, Link
from autology.text.documents import reading
from autology.text.documents.client_memory import is_client_memory
from autology.text.documents.instructions import is_instruction
from autology.text.language.timestamps import stamp
from autology.text.markdown import links
from autology.text.markdown.links import Mention, written
from autology.text.markdown.sections import Section
from autology.text.notes.frontmatter import texts
from autology.text.slug import key, slug, without_ending

TITLE_LIMIT = 300
"""Maximum characters of a title; a longer heading is a paragraph."""
NAMES = 50
"""Maximum aliases of a document."""
LINKS = 5_000
"""Maximum links of a document: a page with more was generated."""

Resolve = Callable[[Mention, str], str]
"""Returns the id that a mention in the file at a path leads to, or the mention's text."""


@dataclass(frozen=True, slots=True)
class Unlinked:
    """A document whose links are not resolved yet, which needs the names of all documents."""

    named: Named
    mentions: tuple[Mention, ...]
    put: Put

    def linked(self, resolve: Resolve) -> Put:
        """Return its index entry with its links, secrets redacted."""
        links = tuple(
            replace(link, description=clean(link.description)) if link.description else link
            for link in _links(self.named, self.mentions, resolve)
        )
        return replace(self.put, entry=replace(self.put.entry, links=links))


def _type(path: str) -> str:
    if is_client_memory(path):
        return CLIENT_MEMORY
    return INSTRUCTION if is_instruction(path) else DOCUMENT


def read_document(path: str, text: str, at: Stamp, changed: Stamp) -> Unlinked:
    """Return the document in *text*, the file at *path*, in redacted passages; *changed* is its modification time."""
    read = reading.read(text, path)
    front, body = read.front, read.body
    title = " ".join((read.title or _stem(path)).split())[:TITLE_LIMIT]
    aliases = (*texts([front.get("aliases") or "", front.get("alias") or ""]), *read.aliases)[:NAMES]
    stem = _stem(path)
    names = dict.fromkeys((title, *(alias.strip() for alias in aliases if alias.strip()), stem, slug(stem)))
    mentions = read.mentions[:LINKS]
    tags = [mention.target for mention in mentions if mention.type == links.TAGGED_AS]
    fields = "\n".join(texts({k: v for k, v in front.items() if k not in ("title", "tags", "tag")}))
    when = stamp(datetime.fromtimestamp(min(max(changed.mtime_ns // 1_000_000_000, 0), 253402300799), UTC))
    entry = Entry(
        id=path,
        kind=DOCUMENT,
        type=_type(path),
        title=clean(title),
        created=when,
        modified=when,
        tags=tuple(dict.fromkeys(clean(tag).lower() for tag in tags)),
        aliases=tuple(clean(name) for name in names),
        authors=tuple(clean(name) for name in texts([front.get("author") or "", front.get("authors") or ""]))[:NAMES],
        extra_text=clean(f"{fields}\n{path}"),
        trust=ASSISTANT if is_client_memory(path) else USER,
    )
    passages = (
        replace(
            passage,
            start=passage.start + body,
            stop=passage.stop + body,
            text=reading.shown_text(passage.text, path),
        )
        for passage in clean_passages(text[body:], _behind(read.sections, body))
    )
    named = Named(path, path, tuple(sorted({key(name) for name in names})))
    return Unlinked(named, mentions, Put(path, at, entry, tuple(passages)))


def _links(document: Named, mentions: Iterable[Mention], resolve: Resolve) -> tuple[Link, ...]:
    """Return the links of *document*, each once, described by its spellings, one per line."""
    texts_of: dict[tuple[str, str], dict[str, None]] = {}
    for mention in mentions:
        if not mention.leads_to_a_file:
            texts_of.setdefault((mention.type, tag_id(mention.target)), {})
            continue
        target = resolve(mention, document.path)
        if target != document.id:
            texts_of.setdefault((mention.type, target), {})[written(mention)] = None
    return tuple(
        Link(type, target, description="\n".join(written_as) or None)
        for (type, target), written_as in texts_of.items()
        if target
    )


def tag_id(tag: str) -> str:
    """Return what a tag is as the target of a link."""
    return slug(tag) or tag


def _behind(sections: Sequence[Section], body: int) -> tuple[Section, ...]:
    """Return the *sections* with offsets from where the text begins."""
    if not body:
        return tuple(sections)
    return tuple(
        replace(section, start=section.start - body, body=section.body - body, stop=section.stop - body)
        for section in sections
        if section.start >= body
    )


def _stem(path: str) -> str:
    return without_ending(path.rpartition("/")[2])
