"""The other records that a record mentions, and its relation to each."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from autology.text.adr.fields import RecordFront, words
from autology.text.adr.link_kinds import REACH, STEM, LinkKind, continues, kind_of, kind_of_heading, kind_of_lead_in
from autology.text.adr.plain import cut, plain
from autology.text.adr.record_references import Target, definitions, link_path, looks_like_record, targets
from autology.text.adr.titles import file_name
from autology.text.markdown.blocks import HEADING, LINE_START, without_code
from autology.text.markdown.sections import ParsedText
from autology.text.slug import without_fragment

TEXT_LIMIT = 300
"""Characters of the sentence kept with a link."""
MOST_LINKS = 1_000
"""Links kept of one record; the maximum in the 120 real ones of the trials is 4. More is an index, not a decision."""

# Where a sentence ends: at a heading, blank line, item, labelled line, table row, hard break or full stop.
_BOUNDARY = re.compile(
    rf"{HEADING}|{LINE_START}" + r"(?P<blank>(?:[ \t]*[\r\n])+)"
    "|" + LINE_START + r"(?P<item>[ \t>]*+(?:[-*+]|\d{1,9}[.)])[ \t]++)"
    "|" + LINE_START + r"(?=[ \t>]*+(?:\||[*_]{0,3}[A-Z][\w \t-]{1,30}[*_]{0,3}:))(?P<labelled>)"
    r"|(?P<hard>(?:[ ]{2}|\\)(?=[\r\n]))"
    r"|(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\bvs)(?<!\bno)(?P<stop>[.!?])[)\"'*_]{0,3}(?=\s+[^\sa-z\d]|\s*\Z)"
)
_KEYS = {
    LinkKind.SUPERSEDES: ("supersedes", "replaces", "obsoletes"),
    LinkKind.SUPERSEDED_BY: ("superseded_by", "replaced_by", "obsoleted_by"),
    LinkKind.AMENDS: ("amends",),
    LinkKind.AMENDED_BY: ("amended_by",),
    LinkKind.RELATES_TO: ("related", "relates_to", "related_to", "related_adrs", "see_also", "links"),
}


@dataclass(frozen=True, slots=True)
class RecordLink:
    """A mention of another record: the relation, the target, and the sentence.

    *target* is as written: a relative path, a web address, a wiki link's page, or a number with its prefix (``ADR-15``,
    ``#14``, ``7``).
    """

    kind: str
    target: str
    text: str


def find_links(page: ParsedText, path: str, number: int | None, front: RecordFront) -> tuple[RecordLink, ...]:
    """Return the records that the record at *path* mentions in its frontmatter and on its *page*.

    Each once, with the strongest relation. Mentions in code and of the record itself are ignored.
    """
    links = _Links()
    for naming in _namings(page, front, partial(_names_itself, path=path, number=number)):
        links.add(naming)
    return tuple(links.links.values())


@dataclass(frozen=True, slots=True)
class _Naming:
    """A mention of another record; its *sentence* is only read if the link is kept."""

    kind: LinkKind
    target: str
    sentence: Callable[[], str]


@dataclass(slots=True)
class _Links:
    """The links kept so far, one per record mentioned; a number and a path with that number are one record."""

    links: dict[str, RecordLink] = field(default_factory=dict)
    numbers: dict[int, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def add(self, naming: _Naming) -> None:
        key = self._key(naming.target)
        previous = self.links.get(key)
        if previous is None:
            if len(self.links) < MOST_LINKS:
                self.links[key] = RecordLink(naming.kind.value, naming.target, naming.sentence())
            return
        # The path identifies the record more reliably than a number.
        target = previous.target if looks_like_record(previous.target) else naming.target
        if previous.kind == LinkKind.RELATES_TO and naming.kind != LinkKind.RELATES_TO:
            self.links[key] = RecordLink(naming.kind.value, target, naming.sentence())
        elif target != previous.target and looks_like_record(target):
            self.links[key] = RecordLink(previous.kind, target, previous.text)

    def _key(self, target: str) -> str:
        name = without_fragment(target.lstrip("#")).rstrip("/").rsplit("/", 1)[-1].lower()
        number = file_name(name).number
        if not looks_like_record(target):
            return name if number is None else self.numbers.setdefault(number, name)
        key = self.names.get(name)
        if key is None:
            bare = self.numbers.get(number) if number is not None else None
            # The number came first, and no path has claimed it yet.
            key = bare if bare in self.links and not looks_like_record(self.links[bare].target) else name
            self.names[name] = key
            if number is not None:
                self.numbers.setdefault(number, key)
        return key


def _names_itself(target: str, path: str, number: int | None) -> bool:
    """Whether *target* is the record at *path*, of that *number*."""
    if looks_like_record(target):
        return (link_path(target) or target).rsplit("/", 1)[-1] == path.rsplit("/", 1)[-1]
    digits = re.search(r"\d+", target)
    return number is not None and digits is not None and int(digits[0]) == number


@dataclass(slots=True)
class _Sentence:
    """The state of parsing: the sentence's beginning, and the last mention in it."""

    start: int = 0
    item: bool = False
    listed: LinkKind | None = None
    last_stop: int = 0
    last_kind: LinkKind | None = None
    last_other: bool = False
    texts: dict[int, str] = field(default_factory=dict)


def _namings(page: ParsedText, front: RecordFront, is_own: Callable[[str], bool]) -> Iterator[_Naming]:
    for kind, keys in _KEYS.items():
        for value in (value for key in keys for value in words(front.says.get(key))):
            yield from (_Naming(kind, target, str) for target in _front_targets(kind, value))
    for value in words(front.says.get("status")):
        yield from _prose_namings(f"Status: {value}", f"Status: {value}", is_own)
    yield from _prose_namings(page.text, page.prose, is_own)


def _front_targets(kind: LinkKind, value: str) -> list[str]:
    """Return the records that a frontmatter *value* names: links, or names separated by commas."""
    names = [name.strip()[:TEXT_LIMIT] for name in value.split(",")]
    return [target.target for target in targets(value, {})] or [
        name for name in names if looks_like_record(name) or (name and kind is not LinkKind.RELATES_TO)
    ]


def _prose_namings(text: str, without_blocks: str, is_own: Callable[[str], bool]) -> Iterator[_Naming]:
    defined, prose = definitions(without_code(without_blocks))
    boundaries = _BOUNDARY.finditer(prose)
    boundary = next(boundaries, None)
    verbs = [stem.start() for stem in STEM.finditer(prose)]
    sentence = _Sentence()
    for target in targets(prose, defined):
        while boundary and boundary.end() <= target.start:
            # A full stop inside a link ("[2. Use it](…)") does not end a sentence.
            if boundary.start() >= sentence.last_stop:
                sentence = _next_sentence(prose, sentence, boundary)
            boundary = next(boundaries, None)
        marked = boundary if boundary and boundary.start() <= target.start else None
        other = not is_own(target.target)
        if marked and marked["hashes"]:
            if other and not target.weak:
                yield _Naming(
                    LinkKind.RELATES_TO, target.target, partial(plain, (marked["title"] or "")[:REACH], TEXT_LIMIT)
                )
            continue
        verb = verbs[bisect_left(verbs, target.start) - 1] if verbs else -1
        kind = _kind(prose, sentence, target, verb)
        if target.weak and (kind is LinkKind.RELATES_TO or marked):  # A list item's own number is not a mention.
            continue
        sentence.last_stop, sentence.last_kind, sentence.last_other = target.stop, kind, other
        if other:
            yield _Naming(kind, target.target, partial(_text, text, sentence, target))


def _kind(prose: str, sentence: _Sentence, target: Target, verb: int) -> LinkKind:
    """Return the relation to *target*; the last relating verb before it begins at *verb*."""
    first = sentence.last_kind is None
    start = sentence.start if first else sentence.last_stop
    reach = max(start, target.start - REACH)
    before = prose[reach : target.start]
    if sentence.last_kind is not None and start == reach and continues(before):
        return sentence.last_kind
    if verb < reach and target.weak:
        return LinkKind.RELATES_TO
    after = prose[target.stop : target.stop + REACH]
    kind = kind_of(before if verb >= reach else "", after, first=first, others=sentence.last_other)
    if kind is LinkKind.RELATES_TO and sentence.listed and first and not before.strip("\"'*_[( "):
        return sentence.listed
    return kind


def _next_sentence(prose: str, sentence: _Sentence, boundary: re.Match[str]) -> _Sentence:
    """Return the sentence after *boundary*, with the relation that a heading or lead-in gives its list."""
    following = _Sentence(start=boundary.end(), last_stop=boundary.end(), item=boundary["item"] is not None)
    if boundary["hashes"]:
        following.listed = kind_of_heading(boundary["title"] or "")
        return following
    lead_in = prose[max(sentence.start, boundary.start() - REACH) : boundary.start()].strip()
    if sentence.item or not lead_in:
        following.listed = sentence.listed
    elif following.item or boundary["blank"] is not None:
        following.listed = kind_of_lead_in(lead_in)
    return following


def _text(text: str, sentence: _Sentence, target: Target) -> str:
    """Return the sentence around *target* as plain text; of a long one, the stretch that contains it."""
    # Stretches, not a window around each mention: a line of a million mentions is read once.
    stretch = (target.start - sentence.start) // TEXT_LIMIT
    if stretch not in sentence.texts:
        start = sentence.start + stretch * TEXT_LIMIT
        reach = target.stop + TEXT_LIMIT
        ends = (
            match.end() if match["stop"] else match.start() for match in _BOUNDARY.finditer(text, target.stop, reach)
        )
        end = next(ends, min(len(text), reach))
        sentence.texts[stretch] = cut(plain(text[start:end]).lstrip("|>- "), TEXT_LIMIT)
    return sentence.texts[stretch]
