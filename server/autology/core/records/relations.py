"""The links between records: by their fields, the words of their status, statements in the text, and mentions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from autology.core.records.collection import Link, LinkKind, LocatedValue, Location
from autology.core.records.reader import Entry, ReadCollection
from autology.core.records.resolving import Resolver
from autology.model.node import DecisionStatus
from autology.model.relation_words import IN_PART, IN_PART_BY
from autology.text.adr.link_kinds import is_in_part
from autology.text.records.amendment_words import wording_of_label
from autology.text.records.field_labels import key_of, normal
from autology.text.records.mentions import AMBIGUOUS, Reference, Statement, references, statements
from autology.text.records.outline import Place

_KINDS = {
    "supersedes": LinkKind.SUPERSEDES,
    "superseded_by": LinkKind.SUPERSEDED_BY,
    "depends_on": LinkKind.DEPENDS_ON,
    "relates_to": LinkKind.RELATES_TO,
}
_RANKS = tuple(LinkKind)
_INVERSE = {LinkKind.SUPERSEDES: LinkKind.SUPERSEDED_BY, LinkKind.SUPERSEDED_BY: LinkKind.SUPERSEDES}
_PARTLY = re.compile(r"\b(?:partial(?:ly)?|partly|in part|parts? of)\b", re.IGNORECASE)
_PART = re.compile(r"[\w*_`\"”)](?<!\ball)(?<!\bwhole)\s+(?:in|of|from)\s+(?:the\s+)?[*_`\"“]*\Z", re.IGNORECASE)
_OTHERWISE = re.compile(
    r"(?:[;,.(]|\s[—–-]\s)\s*(?:(?:and|also|it|directly)\s+)*"
    r"(?:amends|builds|clarifies|complements|completes|constrains|depends|extends|implements|refines|relates|related"
    r"|requires|see|updates)(?:\s+(?:also|directly|on|to|upon|with|the))*[\s*_`:]*\Z",
    re.IGNORECASE,
)
"""In the field of what a record replaces: what it does to the records that follow."""
_THEREIN = re.compile(r"[*_`)\]]*\s+(?:introduced|defined|described|chose|made|established|specified|decided|left)\b")
"""After a record's name: words by which what was named before stands in it, as in ``the model ADR-2 introduced``."""
_AND = re.compile(r"[\s,;&*_]*(?:and|or)?[\s*_]*", re.IGNORECASE)
_ASIDE = re.compile(r"\((?:which|that|formerly|previously|was|were|not)\b[^()]*(?:\([^()]*\)[^()]*)*\)", re.IGNORECASE)
_NONE = re.compile(r"\W*(?:n/a|none|nothing)\b|\s*[—–]\s*(?:\(|\Z)", re.IGNORECASE)
"""A value that names nothing, whatever is said after it: ``None (extends ADR-0087)``, ``— (builds on ADR-0087)``."""
_URL = re.compile(r"https?://\S+")
_LINK_TEXT = re.compile(r"\[[^\]]*\]\([^)]*\)?|\[[^\[\]]*(?=\s*\))")
LONGEST_LIST = 200
"""Characters of a field's value from which bare numbers in it are no longer those of records."""
MOST_WORDS = 5
"""Words beside the numbers of a field's value, from more of which it is prose, as ``the model in §3 (4 dicts)``.

Chosen: a list has *and*, *in part* or a name.
"""
_WORD = re.compile(r"[^\W\d_]{2,}")
_NUMBER = re.compile(r"(?<![\w.#/-])#?0*(\d{1,6})(?![\w.%/-])")
_NAMED = re.compile(r"(?<![\w/])(?P<name>[A-Za-z][A-Za-z]{1,11})[\s_#:-]{0,2}0*(?P<number>\d{1,6})(?![\w])")
_PATH = re.compile(r"(?<![\w(<:/])/?(?:[\w.@+-]+/)+[\w.@+-]+|[\w@+-]+\.(?:md|rst|adoc|org|mediawiki)\b")
_STEM = re.compile(r"(?<![\w/])\d{1,8}[-_][\w-]+|(?<![\w/])[A-Za-z]{2,12}[-_]\d+[-_][\w-]+")


def links(collection: ReadCollection, resolver: Resolver, records: Mapping[str, Entry]) -> dict[str, list[Link]]:
    """Return the links that each record of *collection* states, by its path, the strongest to each target only."""
    results: dict[str, list[Link]] = {}
    for entry in collection.entries:
        best: dict[str, Link] = {}
        in_part = {_referred(reference, entry.unit.path, resolver) for reference in entry.in_part}
        for stated in _stated(entry, collection, resolver):
            link = stated
            if link.target == entry.unit.path or link.target not in records:
                continue
            if link.kind is LinkKind.SUPERSEDES and link.target in in_part:
                link = replace(link, kind=LinkKind.RELATES_TO)
            former = best.get(link.target)
            if former is None or _RANKS.index(link.kind) < _RANKS.index(former.kind):
                best[link.target] = link
        wordings = _wordings(entry, collection, resolver)
        results[entry.unit.path] = [
            replace(link, wording=wordings.get(link.target, "")) if link.kind is LinkKind.RELATES_TO else link
            for link in best.values()
        ]
    return results


def completed(stated: Mapping[str, Sequence[Link]]) -> dict[str, tuple[Link, ...]]:
    """Return all links by path: each replacement from both sides; of two records that replace each other, neither."""
    replacing = {
        (path, link.target) if link.kind is LinkKind.SUPERSEDES else (link.target, path)
        for path, some in stated.items()
        for link in some
        if link.kind in _INVERSE
    }
    circular = {pair for pair in replacing if pair[::-1] in replacing}
    results: dict[str, dict[tuple[LinkKind, str], Link]] = {path: {} for path in stated}
    for path, some in stated.items():
        for stated_link in some:
            link = stated_link
            if link.kind in _INVERSE and {(path, link.target), (link.target, path)} & circular:
                link = Link(LinkKind.RELATES_TO, link.target, link.located)
            results[path].setdefault((link.kind, link.target), link)
            if inverse := _INVERSE.get(link.kind):
                results[link.target].setdefault((inverse, path), Link(inverse, path, link.located))
    return {path: _strongest(some.values()) for path, some in results.items()}


def _strongest(some: Iterable[Link]) -> tuple[Link, ...]:
    best: dict[str, Link] = {}
    for link in some:
        former = best.get(link.target)
        if former is None or _RANKS.index(link.kind) < _RANKS.index(former.kind):
            best[link.target] = link
    return tuple(sorted(best.values(), key=lambda link: (_RANKS.index(link.kind), link.target)))


def _stated(entry: Entry, collection: ReadCollection, resolver: Resolver) -> Iterator[Link]:
    path = entry.unit.path
    for field in entry.outline.fields:
        key = key_of(field.label)
        kind = _KINDS.get(key)
        if kind is None:
            continue
        file = entry.unit.sidecar if field.place is Place.SIDECAR and entry.unit.sidecar else path
        located = LocatedValue(field.value, Location(field.place, field.label.strip()), file, field.start, field.stop)
        partly = kind in _INVERSE and _PARTLY.search(field.value)
        inside = _inside(field.value, file, resolver, collection.prefixes) if kind in _INVERSE else frozenset()
        for target in _field_targets(
            field.value, file, resolver, collection.prefixes, numbers=kind is not LinkKind.RELATES_TO
        ):
            yield Link(LinkKind.RELATES_TO if partly or target in inside else kind, target, located)
    if entry.status_text:
        stated = statements(f"Status: {entry.status_text}", collection.prefixes, entry.number)
        yield from _links_stated(stated, entry, entry.located.get("status"), resolver)
    prose = LocatedValue("", Location(Place.PROSE), path)
    if not _fields_replace(collection):
        accepted = entry.stands is not None and entry.stands.status is DecisionStatus.ACCEPTED
        # "Replaced by …" in the text of a record that calls itself accepted is about a part of it.
        own = (one for one in entry.statements if one.supersedes or one.of_itself or not accepted)
        yield from _links_stated(own, entry, prose, resolver)
    foreign = {resolver.number_elsewhere(reference.target, path) for reference in entry.references} - {None}
    for reference in entry.references:
        if reference.number not in foreign and (mentioned := _referred(reference, path, resolver)):
            located = LocatedValue(
                reference.target or str(reference.number), prose.location, path, reference.start, reference.stop
            )
            yield Link(LinkKind.RELATES_TO, mentioned, located)


def _wordings(entry: Entry, collection: ReadCollection, resolver: Resolver) -> dict[str, str]:
    """Return the words in which a record says that it changes others, or they it, by the others' paths."""
    path, wordings = entry.unit.path, dict[str, str]()
    for field in entry.outline.fields:
        kind = _KINDS.get(key_of(field.label))
        wording = wording_of_label(normal(field.label))
        if kind in _INVERSE and _PARTLY.search(field.value):
            wording = IN_PART if kind is LinkKind.SUPERSEDES else IN_PART_BY
        for target in _field_targets(field.value, path, resolver, collection.prefixes, numbers=True) if wording else ():
            wordings.setdefault(target, wording)
    for change in entry.changes:
        if changed := _named(change.target, path, resolver):
            wordings.setdefault(changed, change.wording)
    return wordings


def _fields_replace(collection: ReadCollection) -> bool:
    """Whether the collection has fields for replacements: then words in the text are not needed, and less reliable."""
    sources = (source for name in ("supersedes", "superseded_by") for source in collection.relations[name])
    return any(source.location.place is not Place.SECTION for source in sources)


def _links_stated(
    stated: Sequence[Statement] | Iterator[Statement], entry: Entry, located: LocatedValue | None, resolver: Resolver
) -> Iterator[Link]:
    path = entry.unit.path
    for statement in stated:
        if target := _named(statement.target, path, resolver):
            kind = LinkKind.SUPERSEDES if statement.supersedes else LinkKind.SUPERSEDED_BY
            yield Link(kind, target, located or LocatedValue(statement.target, Location(Place.PROSE), path))


def _named(target: str, path: str, resolver: Resolver) -> str | None:
    named = _NAMED.fullmatch(target) or _NUMBER.fullmatch(target)
    if named is None:
        return resolver.by_target(target, path)
    return resolver.by_number(int(named["number"] if named.re is _NAMED else named[1]), path)


def _field_targets(
    value: str, path: str, resolver: Resolver, prefixes: frozenset[str], *, numbers: bool
) -> Iterator[str]:
    """Yield the records that a relation's field names: by links and paths, else by numbers."""
    if _NONE.match(value):
        return
    rest = _ASIDE.sub(" ", value)
    targets: dict[str, None] = {}
    for reference in references(rest, prefixes):
        if target := _referred(reference, path, resolver):
            targets.setdefault(target)
        rest = rest[: reference.start] + " " * (reference.stop - reference.start) + rest[reference.stop :]
    rest = _URL.sub(" ", _LINK_TEXT.sub(" ", rest))
    for form in (_PATH, _STEM):
        for match in form.finditer(rest):
            if target := resolver.by_target(match[0], path):
                targets.setdefault(target)
        rest = form.sub(" ", rest)
    yield from targets or (_numbered(rest, path, resolver, prefixes) if numbers else ())


def _inside(value: str, path: str, resolver: Resolver, prefixes: frozenset[str]) -> frozenset[str]:
    """Return the records of which a field names only a part, ``the invitation in [RFC 160](…)`` or ``ADR-17 §3``, or
    that it does not say to be replaced: ``ADR-4; amends ADR-13``."""
    targets, former, is_part = set(), 0, False
    for begin, stop, target in _named_in(value, path, resolver, prefixes):
        lead, after = value[former : max(begin, former)], value[stop:]
        is_listed = _AND.fullmatch(lead) is not None
        is_part = bool(_PART.search(lead) or _OTHERWISE.search(lead)) or (is_part and is_listed)
        former = max(former, value.find(")", stop) + 1 if after.startswith(")") else stop)
        if target and (is_part or is_in_part(after) or _THEREIN.match(after)):
            targets.add(target)
    return frozenset(targets)


def _named_in(
    value: str, path: str, resolver: Resolver, prefixes: frozenset[str]
) -> Iterator[tuple[int, int, str | None]]:
    """Yield where a field names a record, by a link or as ``RFC 12``, begin and end, in order; and which record."""
    spans: list[tuple[int, int, str | None]] = []
    for reference in references(value, prefixes):
        is_link = value.startswith("](", reference.start)
        begin = max(value.rfind("[", 0, reference.start), 0) if is_link else reference.start
        spans.append((begin, reference.stop, _referred(reference, path, resolver)))
    for match in _NAMED.finditer(value):
        if not any(begin < match.end() and match.start() < stop for begin, stop, _ in spans):
            target = resolver.by_number(int(match["number"]), path, match["name"].lower())
            spans.append((match.start(), match.end(), target))
    yield from sorted(spans, key=lambda span: span[:2])


def _numbered(text: str, path: str, resolver: Resolver, prefixes: frozenset[str]) -> Iterator[str]:
    """Yield the records whose numbers *text* has, with or without a name before them."""
    for match in _NAMED.finditer(text):
        if match["name"].lower() not in AMBIGUOUS - prefixes:
            yield from filter(None, [resolver.by_number(int(match["number"]), path, match["name"].lower())])
    rest = _NAMED.sub(" ", text)
    is_list = len(text) <= LONGEST_LIST and len(_WORD.findall(rest)) <= MOST_WORDS
    for match in _NUMBER.finditer(rest) if is_list else ():
        yield from filter(None, [resolver.by_number(int(match[1]), path)])


def _referred(reference: Reference, path: str, resolver: Resolver) -> str | None:
    if reference.number is not None:
        return resolver.by_number(reference.number, path, reference.prefix)
    return resolver.by_target(reference.target, path)
