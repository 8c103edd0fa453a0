"""The links of a markdown text, as written and where, so that they can be rewritten."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from autology.text.markdown import tag_block
from autology.text.markdown.blocks import DEFINITION, without_code
from autology.text.notes import frontmatter
from autology.text.notes.yaml_subset import Value, YamlError, scalar
from autology.text.slug import TEXTS, without_fragment

CITES, TAGGED_AS, EXEMPLIFIES, RELATED_TO = "CITES", "TAGGED_AS", "EXEMPLIFIES", "RELATED_TO"

NOWHERE = -1
"""The position of a link that cannot be rewritten in place."""

WIKI, PATH, ANGLE, PLAIN, VALUE, TAG = "wiki", "path", "angle", "plain", "value", "tag"

_WIKI = re.compile(r"(?<!\\)\[\[(?P<inner>[^\[\]\r\n]{1,1000})\]\]")
_TARGET = re.compile(r"[ \t]*(?P<target>[^|#]*?)[ \t]*\\?(?:[|#]|\Z)")
_PLACE = r"[^\s<>()]{0,2000}(?:\([^\s()]{0,500}\)[^\s<>()]{0,500}){0,4}"
_DESTINATION = rf"(?:<(?P<angle>[^<>\r\n]{{0,2000}})>|(?P<path>{_PLACE}))"
_INLINE = re.compile(rf"\]\([ \t]*{_DESTINATION}(?=[\s)])")
_DEFINITION = re.compile(rf"{DEFINITION}{_DESTINATION}(?=\s|\Z)")
_IMAGE = re.compile(rf"!\[(?:[^\[\]\r\n]|\[[^\[\]\r\n]{{0,200}}\]){{0,500}}\]\([ \t]*{_DESTINATION}(?=[\s)])")
_IMAGE_TAG = re.compile(
    r"<img\s(?:[^<>\"']{0,200}\"[^\"<>]{0,2000}\"){0,8}?[^<>\"']{0,200}?\bsrc=\"(?P<source>[^\"<>]{1,2000})\"",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_BRACKETED_TAG = re.compile(r"\[tag:[ \t]*(?P<tag>[^\[\]\r\n]{1,200})\](?![(\[])", re.IGNORECASE)
_HASH_TAG = re.compile(r"(?<!\S)#(?P<tag>[\w/-]{0,100}[^\W\d_][\w/-]{0,100})")
_LEGACY_TAG = re.compile(r"(?<![\w/.#\\\[-])tag-(?P<tag>\w[\w-]{0,100})", re.IGNORECASE)
_ATTACHMENT = re.compile(
    r"\.(?:png|jpe?g|gif|bmp|svg|webp|avif|pdf|mp[34]|m4a|3gp|flac|og[gav]|opus|wav|webm|mov|mkv|canvas|base|excalidraw)\Z",
    re.IGNORECASE,
)
_RELATED = re.compile(r"^related[ \t]*:[^\r\n]*(?:\r?\n(?:[ \t]+|- |-\r?$|#|\r?$)[^\r\n]*)*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mention:
    """A link as written: ``text[start:stop]`` names *target*, in one of the forms above.

    A ``path`` or ``angle`` one is relative to the file's folder, a ``wiki`` or ``plain`` one is a name.
    """

    type: str
    target: str
    start: int
    stop: int
    form: str

    @property
    def leads_to_a_file(self) -> bool:
        """Whether it links to a text and not to a tag."""
        return self.form != TAG


def mentions(text: str) -> tuple[Mention, ...]:
    """Return the links and tags of *text*, in order.

    Code, inline code and comments are skipped, except comments that contain tags.
    """
    floor = frontmatter.body_start(text)
    result = list(_in_front(text)) if floor else []
    blocks = tag_block.blocks(text)
    result += [mention for block in blocks for mention in map(_of_block, block.tags)]
    prose = " " * floor + without_code(text[floor:])
    links = [*_wiki(prose, text, CITES), *_files(prose, text)]
    result += links
    result += _tags(_without(prose, [(link.start, link.stop) for link in links]), text)
    return tuple(sorted(result, key=lambda mention: (mention.start, mention.stop)))


def destinations(text: str) -> tuple[Mention, ...]:
    """Return every markdown link with a destination outside the file, of any kind."""
    floor = frontmatter.body_start(text)
    prose = " " * floor + without_code(text[floor:])
    return tuple(sorted(_destinations(prose, text), key=lambda mention: mention.start))


def images(text: str) -> tuple[str, ...]:
    """Return the targets of the images in *text* that are not on another host, in order, each once."""
    prose = without_code(text)
    shown = [(match.start(), match["angle"] or match["path"]) for match in _IMAGE.finditer(prose)]
    shown += [(match.start(), match["source"]) for match in _IMAGE_TAG.finditer(prose)]
    targets = (unquote(without_fragment(target)) for _, target in sorted(shown) if not _ELSEWHERE.match(target))
    return tuple(dict.fromkeys(filter(None, targets)))


def rewritten(text: str, targets: Mapping[Mention, str]) -> str:
    """Return *text* with the targets of these mentions replaced, and every other character unchanged."""
    done, parts = 0, []
    for mention in sorted(targets, key=lambda mention: mention.start):
        if mention.start >= done:
            parts += [text[done : mention.start], _written(mention, targets[mention], text)]
            done = mention.stop
    return "".join([*parts, text[done:]])


def written(mention: Mention) -> str:
    """Return a link as stored text, which :func:`mention_of` parses again."""
    target = " ".join(mention.target.split())
    if mention.form == WIKI:
        return f"[[{target}]]"
    return f"({target})" if mention.form in (PATH, ANGLE) else target


def mention_of(type: str, text: str) -> Mention:
    """Return the link that was stored as *text*."""
    if text.startswith("[["):
        return Mention(type, text[2:-2], NOWHERE, NOWHERE, WIKI)
    if text.startswith("("):
        return Mention(type, text[1:-1], NOWHERE, NOWHERE, PATH)
    return Mention(type, text, NOWHERE, NOWHERE, VALUE)


def _written(mention: Mention, target: str, text: str) -> str:
    if mention.form == PATH:
        return re.sub(r"[\s()<>#?%]", lambda m: f"%{ord(m[0]):02X}", target)
    if mention.form == PLAIN and text[mention.start - 1 : mention.start] not in ('"', "'"):
        return scalar(target)
    return target


def _in_front(text: str) -> Iterator[Mention]:
    front = frontmatter.split(text)
    assert front is not None
    begun = len(front.opening)
    try:
        values = frontmatter.read(front.front)
    except YamlError:
        values = {}
    for name in ("tags", "tag"):
        for tag in _listed(values.get(name), r"[,\s]+"):
            if plain := tag.strip().lstrip("#"):
                yield Mention(TAGGED_AS, plain, begun, begun, TAG)
    region = _RELATED.search(front.front)
    span = region.span() if region else (0, 0)
    for link in _wiki(front.front, front.front, CITES):
        type = RELATED_TO if span[0] <= link.start < span[1] else CITES
        yield Mention(type, link.target, begun + link.start, begun + link.stop, WIKI)
    yield from _plainly_related(values.get("related"), front.front, span, begun)


def _plainly_related(value: Value | None, front: str, span: tuple[int, int], begun: int) -> Iterator[Mention]:
    """The unbracketed names in ``related:``."""
    at = span[0] + len("related")
    for name in _listed(value, r",\s*"):
        target = name.strip()
        if not target or "[[" in target:
            continue
        place = re.compile(rf"(?<![\w/.-]){re.escape(target)}(?![\w/-])").search(front, at, span[1])
        if place:
            at = place.end()
            yield Mention(RELATED_TO, target, begun + place.start(), begun + place.end(), PLAIN)
        else:
            yield Mention(RELATED_TO, target, NOWHERE, NOWHERE, PLAIN)


def _listed(value: Value | None, gap: str) -> list[str]:
    if isinstance(value, str):
        return re.split(gap, value)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _of_block(tag: tag_block.Tag) -> Mention:
    linked = _WIKI.search(tag.value)
    target, start, stop, form = tag.value, tag.start, tag.stop, VALUE
    if linked and (name := _TARGET.match(linked["inner"])):
        target, form = name["target"], WIKI
        start = tag.start + linked.start("inner") + name.start("target")
        stop = start + len(target)
    if not tag.key or tag.key.casefold() == "tag":
        return Mention(TAGGED_AS, target, start, stop, TAG)
    # A value may be the name of anything; only a bracketed one is certainly a link.
    return Mention(tag.key, target, start, stop, form)


def _wiki(prose: str, text: str, type: str) -> Iterator[Mention]:
    if "[[" not in prose:
        return
    for link in _WIKI.finditer(prose):
        start, stop = link.span("inner")
        name = _TARGET.match(text[start:stop])
        if name and name["target"] and not _ATTACHMENT.search(name["target"]):
            begun = start + name.start("target")
            yield Mention(type, name["target"], begun, begun + len(name["target"]), WIKI)


def _files(prose: str, text: str) -> Iterator[Mention]:
    for link in _destinations(prose, text):
        if link.target.lower().endswith(TEXTS):
            yield link


def _destinations(prose: str, text: str) -> Iterator[Mention]:
    for pattern, sign in ((_INLINE, "]("), (_DEFINITION, "]:")):
        if sign not in prose:
            continue
        for link in pattern.finditer(prose):
            form = ANGLE if link["angle"] is not None else PATH
            start, stop = link.span("angle" if form == ANGLE else "path")
            written = without_fragment(text[start:stop])
            if written and not _ELSEWHERE.match(written):
                yield Mention(CITES, unquote(written), start, start + len(written), form)


def _tags(prose: str, text: str) -> Iterator[Mention]:
    legacy = _LEGACY_TAG.finditer(prose) if "tag-" in prose.lower() else ()
    for tags, type in ((_BRACKETED_TAG.finditer(prose), TAGGED_AS), (_hashed(prose), TAGGED_AS), (legacy, EXEMPLIFIES)):
        for tag in tags:
            start, stop = tag.span("tag")
            if name := text[start:stop].strip().strip("/"):
                yield Mention(type, name, start, stop, TAG)


def _hashed(prose: str) -> Iterator[re.Match[str]]:
    at = prose.find("#")
    while at >= 0:
        tag = _HASH_TAG.match(prose, at)
        if tag:
            yield tag
        at = prose.find("#", tag.end() if tag else at + 1)


def _without(prose: str, spans: list[tuple[int, int]]) -> str:
    """*prose* with *spans* blanked, of the same length."""
    parts, done = [], 0
    for start, stop in sorted(spans):
        if start >= done:
            parts += [prose[done:start], "_" * (stop - start)]
            done = stop
    return "".join([*parts, prose[done:]])
