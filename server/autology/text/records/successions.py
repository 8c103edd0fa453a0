"""Stating in a record that it replaces another one, or is replaced: in the words and at the place of an example."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from autology.text.records.editing import yaml_scalar
from autology.text.records.field_labels import key_of, normal
from autology.text.records.file_names import parsed
from autology.text.records.outline import FORMS, Field, Outline, Place

_SHAPES = re.compile(
    r"\[[^\[\]\n]*\]\([^()\n]*\)"
    r"|\[\[[^\[\]\n]+\]\]"
    r"|:[a-z]{2,12}:`[^`\n]+`"
    r"|`[^`\n<>]*<[^`<>\n]+>`__?"
    r"|(?:link|xref):[^\s\[\]]+\[[^\]\n]*\]"
    r"|<<[^<>\n]+>>"
    r"|(?:(?:[A-Z][A-Za-z]{1,11}[ #]{1,2}|#)(?=\d))?[\w./@+-]*[\w@+/-]"
)
"""What a reference to another record may look like: a link in one of the forms, a path, a number."""
_INLINE = re.compile(r"\[(?P<label>[^\[\]\n]*)\]\((?P<target>[^()\n]*)\)")
_NAME_LEFT = re.compile(r"[\W\d_]*[A-Za-z]{0,12}[\W\d_]*")
"""What may be left of a link's label without the record's number and title: ``ADR-``."""
_VERB = re.compile(r"super[sc]e+d|obsolet|replac|remplac|reemplaz|ersetz|sustitu|substitu|取代|替代", re.IGNORECASE)
_BY = re.compile(r"\b(?:by|durch|par|por|mit)\b|被|由", re.IGNORECASE)
_STATE = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)*")
_CLOSING = re.compile(r"[\s.)\]*_|`\"'<>/br-]*\Z")
_NONE = re.compile(
    r"[\s\[\]{}\"'`*_-]*(?:n/?a|none|null|nothing|nil|~|[-–—]+|\([^()\d]*\))?[\s\[\]{}\"'`*_.-]*\Z", re.IGNORECASE
)
"""A value that names nothing: empty, ``n/a``, or what a template says to put there."""
_ITEM = re.compile(r"(?P<lead>[ \t]*[-*+][ \t]+)(?P<quote>[\"']?)")
_YAML = (Place.FRONTMATTER, Place.SIDECAR)
LONGEST_LEAD = 60
"""Characters before the reference from which a line is a sentence about something else."""


class Where(StrEnum):
    """How a record states it."""

    FIELD = "field"  # a field of its own: ``Superseded-By: 440``
    STATUS = "status"  # in its status: ``Superseded by [7. Use X](0007-use-x.md)``
    LINE = "line"  # a line of its own in a section


@dataclass(frozen=True, slots=True)
class Named:
    """A record as others name it."""

    path: str
    id_path: str
    number: int | None
    title: str

    @property
    def stem(self) -> str:
        """Its name without extension."""
        name = self.id_path.rpartition("/")[2]
        ending = name[name.rfind(".") :].lower()
        return name[: -len(ending)] if ending in FORMS else name

    def names(self, source: str) -> tuple[str, ...]:
        """Return the ways to write it in the file *source*, except by its number, always in the same order."""
        home = posixpath.dirname(source) or "."
        relative = (posixpath.relpath(self.path, home), posixpath.relpath(self.id_path, home))
        return (*relative, self.path, self.id_path, self.stem, self.title)


@dataclass(frozen=True, slots=True)
class Example:
    """How the record at *source* states it of *named*: where, under which label, and the reference's span."""

    where: Where
    place: Place
    label: str
    source: str
    named: Named
    text: str
    outline: Outline
    field: Field | None
    start: int
    stop: int

    @property
    def form(self) -> tuple[Where, Place, str]:
        """What examples of one form have in common."""
        return self.where, self.place, normal(self.label)

    @property
    def shows_digits(self) -> bool:
        """Whether it shows how numbers of other lengths than its own are written."""
        own = re.search(r"\d+", self.named.stem)
        return not own or own[0][0] == "0" or own[0] not in self.text[self.start : self.stop]

    @property
    def line(self) -> tuple[int, int]:
        """The span of the line that the reference stands in."""
        return _line(self.text, self.start)


def examples(
    kind: str, named: Named, source: str, text: str, outline: Outline, beside: str | None
) -> Iterator[Example]:
    """Yield how a record's files state *kind*, ``supersedes`` or another relation, of the record *named*."""
    for field in outline.fields:
        within = (beside or "") if field.place is Place.SIDECAR else text
        key = key_of(field.label)
        if key != kind and (key != "status" or field.place in (Place.SECTION, *_YAML[1:])):
            continue
        span = mention(within, field.start, _end(within, field), named, source)
        if span is None:
            continue
        if key == kind:
            yield Example(Where.FIELD, field.place, field.label, source, named, within, outline, field, *span)
        elif _states(within[field.start : span[0]], kind) and _CLOSING.match(
            within[span[1] : _line(within, span[1])[1]]
        ):
            yield Example(Where.STATUS, field.place, field.label, source, named, within, outline, field, *span)
    yield from _lines(kind, named, source, text, outline)


def _lines(kind: str, named: Named, source: str, text: str, outline: Outline) -> Iterator[Example]:
    fields = {field.start: field for field in outline.fields if field.place is Place.SECTION}
    for at, heading in enumerate(outline.headings):
        begin, first = heading.body, True
        while begin < min(outline.stop(at), len(text)):
            line = _line(text, begin)
            words = text[line[0] : line[1]]
            if _VERB.search(words) and (span := mention(text, line[0], line[1], named, source)):
                lead = text[line[0] : span[0]]
                if len(lead) <= LONGEST_LEAD and _states(lead, kind) and _CLOSING.match(text[span[1] : line[1]]):
                    field = next(
                        (f for s, f in fields.items() if heading.body <= s <= line[0] < outline.stop(at)), None
                    )
                    is_state = first and field is not None and key_of(heading.title) == "status"
                    where = Where.STATUS if is_state else Where.LINE
                    yield Example(where, Place.SECTION, heading.title, source, named, text, outline, field, *span)
            first &= not words.strip()
            begin = line[1] + 1


def _states(lead: str, kind: str) -> bool:
    """Whether *lead*, the words before a reference, say *kind*."""
    verb = _VERB.search(lead)
    return verb is not None and bool(_BY.search(lead, verb.start())) == (kind == "superseded_by")


def mention(text: str, start: int, stop: int, named: Named, source: str) -> tuple[int, int] | None:
    """Return the span of the first reference to *named* between *start* and *stop* in the file *source*."""
    paths = [name for name in named.names(source)[:-1] if name and not name.isdigit()]
    for match in _SHAPES.finditer(text, start, stop):
        shape = match[0]
        inline = _INLINE.fullmatch(shape)
        if any(name in (inline["target"] if inline else shape) for name in paths if name != "."):
            return match.span()
        plain = shape.rstrip(".")
        if not inline and named.number is not None and _is_number(plain, named.number):
            return match.start(), match.start() + len(plain)
    return None


def _is_number(shape: str, number: int) -> bool:
    """Whether *shape* is *number*, with a name or mark-up around it: ``ADR-0007``, ``:pep:`7```."""
    digits = re.findall(r"\d+", shape)
    name = parsed(shape.strip("#[]<>`:"))
    return len(digits) == 1 and int(digits[0]) == number and (not name.words or not name.words[:1].isalpha())


def reference_like(example: Example, named: Named, source: str) -> str | None:
    """Return the reference of *example*, to *named* in place of its record, in the file *source*; None if it cannot."""
    written = example.text[example.start : example.stop]
    former, pairs = example.named, dict[str, str]()
    for one, other in zip(former.names(example.source), named.names(source), strict=True):
        if one and one != ".":
            pairs.setdefault(one, other)
    inline = _INLINE.fullmatch(written)
    if inline and _NAME_LEFT.fullmatch(_without(inline["label"], former)) is None:
        return None  # it has other words than the record's title
    forms = "|".join(map(re.escape, sorted(pairs, key=len, reverse=True)))
    number = f"|(?<!\\d)(?P<number>0*{former.number})(?!\\d)" if former.number is not None else ""
    missing = False

    def replaced(match: re.Match[str]) -> str:
        nonlocal missing
        if not number or match["number"] is None:
            return pairs[str(match[0])]
        missing |= named.number is None
        return digits_like(match["number"], former, named)

    result, count = re.subn(forms + number, replaced, written)
    return None if missing or not count or result == written else result


def _without(label: str, named: Named) -> str:
    plain = label.replace(named.title, "").replace(named.stem, "")
    return plain if named.number is None else re.sub(rf"(?<!\d)0*{named.number}(?!\d)", "", plain)


def digits_like(written: str, former: Named, named: Named) -> str:
    """Return the number of *named* as that of *former* is *written*."""
    own = [re.search(r"\d+", one.stem) for one in (former, named)]
    if own[0] and own[1] and own[0][0] == written and (written[:1] == "0" or own[1][0][:1] == "0"):
        return own[1][0]
    return str(named.number).zfill(len(written) if written[:1] == "0" else 0)


# ---- writing -------------------------------------------------------------------------------------------


def statement(example: Example, reference: str) -> str:
    """Return the words with which *example*'s status names another record: ``Superseded by <reference>``."""
    begin = example.field.start if example.field else example.line[0]
    if example.place is Place.SECTION:
        begin = example.line[0]
    verb = _VERB.search(example.text, begin, example.start)
    return example.text[verb.start() if verb else example.start : example.start] + reference


def stated(text: str, outline: Outline, example: Example, kind: str, reference: str) -> str | None:
    """Return *text* with what *example* states of another record stated of *reference*; None if there is no place."""
    if example.where is Where.LINE:
        return _with_line(text, outline, example, reference)
    if example.where is Where.STATUS:
        return _with_tail(text, outline, example, reference)
    field = own_field(outline, kind, example.place)
    return (
        _with_field(text, outline, example, reference) if field is None else with_value(text, field, reference, example)
    )


def own_field(outline: Outline, kind: str, place: Place | None = None) -> Field | None:
    """Return the field of a record for *kind*, filled in or not; at *place*, if that is given."""
    return next((f for f in outline.fields if key_of(f.label) == kind and place in (None, f.place)), None)


def is_empty(field: Field) -> bool:
    """Whether *field* is there but names nothing: ``[]``, ``n/a``."""
    return _NONE.match(field.value) is not None


def written_empty(field: Field, text: str) -> str:
    """Return how the empty *field* is written, with the blanks before it."""
    begin = len(text[: field.start].rstrip(" ")) if field.place is not Place.SECTION else field.start
    return text[begin : _end(text, field)]


def with_value(text: str, field: Field, reference: str, example: Example | None) -> str | None:
    """Return *text* with *reference* in *field*, after the ones that it has."""
    stop = _end(text, field)
    raw = text[field.start : stop]
    if "<!--" in raw:
        return None
    if is_empty(field):
        raw = _raw_like(example, reference, field)
        before = text[: field.start]
        if field.place is Place.SECTION:
            written = text[field.start : stop]
            lead = (_ITEM.match(example.text[example.line[0] :]) if example else None) or _ITEM.match(written.lstrip())
            head, tail = written[: len(written) - len(written.lstrip())], written[len(written.rstrip()) :]
            return f"{before}{head}{lead['lead'] if lead else ''}{raw}{tail}{text[stop:]}"
        before = before.rstrip(" ") if raw.startswith("\n") else before
        return before + _valued(field, text, raw) + text[stop:]
    lines = raw.splitlines()
    item = _ITEM.match(lines[-1]) if len(lines) > 1 or field.place is Place.SECTION else None
    tail = raw[len(raw.rstrip()) :]
    raw = raw.rstrip()
    newline = "\r\n" if "\r\n" in text else "\n"
    if item:
        new = f"{raw}{newline}{item['lead']}{item['quote']}{reference}{item['quote']}"
    elif field.place is Place.SECTION:
        new = f"{raw}{newline}{newline}{reference}"
    elif field.place in _YAML and raw.endswith("]") and raw.lstrip().startswith("["):
        quote = raw[-2:-1] if raw[-2:-1] in ("'", '"') else ""
        new = f"{raw[:-1].rstrip()}, {quote}{reference}{quote}]"
    elif field.place in _YAML and raw[-1:] in ("'", '"'):
        new = f"{raw[:-1]}, {reference}{raw[-1]}"
    else:
        new = f"{raw}, {reference}"
    return text[: field.start] + new + tail + text[stop:]


def without(
    text: str,
    example: Example,
    kind: str,
    reference: str,
    target: tuple[Named, str],
    read: Callable[[str], Outline],
    empty: str | None,
) -> str | None:
    """Return the text from which stating *reference* like *example* makes *text*; None if there is none.

    *target* is the record that it names, and the path of the one that names it; *read* returns the outline of a text;
    *empty* is how the field was written before, None if it was not there.
    """
    is_beside = example.place is Place.SIDECAR
    for one in examples(kind, *target, "" if is_beside else text, read(text), text if is_beside else None):
        if one.form != example.form:
            continue
        for shorter in (
            *_emptied(text, one, empty),
            *(text[:begin] + text[stop:] for begin, stop in _spans(text, one)),
        ):
            if stated(shorter, read(shorter), example, kind, reference) == text:
                return shorter
    return None


def _emptied(text: str, one: Example, empty: str | None) -> Iterator[str]:
    """Yield *text* with the field that *one* stands in *empty*, or without that field."""
    field = one.field
    if one.where is not Where.FIELD or field is None:
        return
    stop = _end(text, field)
    if empty is not None:
        before = text[: field.start]
        yield (before if field.place is Place.SECTION else before.rstrip(" ")) + empty + text[stop:]
    elif field.place is not Place.SECTION:
        begin, end = _line(text, field.start)[0], _line(text, stop)[1]
        yield text[:begin] + text[end + 1 :]
        yield text[: max(0, begin - 2 if text[begin - 2 : begin] == "\r\n" else begin - 1)] + text[_bare(text, end) :]


def _spans(text: str, one: Example) -> Iterator[tuple[int, int]]:
    """Yield what may have been added with the reference of *one*: its line, or a part of that."""
    start, stop = one.start, one.stop
    line = _line(text, start)
    begin, end = line[0], _bare(text, line[1])
    for _ in range(2):
        begin -= 2 if text[begin - 2 : begin] == "\r\n" else 1
        if begin >= 0 and text[begin] in "\r\n":
            yield begin, end
    quotes = int(text[start - 1 : start] in ("'", '"'))
    for before in (2, 1, 0):
        yield max(0, start - quotes - before), stop + quotes
    yield start, min(len(text), stop + 2)
    for word in _STATE.finditer(text, one.field.start if one.field else line[0], start):
        yield word.end(), end
        for shorter in range(word.end() - 1, word.start(), -1):
            if text[shorter] == " ":
                yield shorter, end


def _bare(text: str, end: int) -> int:
    """Return the *end* of a line without its carriage return."""
    return end - 1 if text[end - 1 : end] == "\r" else end


def _with_line(text: str, outline: Outline, example: Example, reference: str) -> str | None:
    wanted = normal(example.label)
    at = next((n for n, heading in enumerate(outline.headings) if normal(heading.title) == wanted), None)
    if at is None:
        return None
    body, stop = outline.headings[at].body, outline.stop(at)
    newline = "\r\n" if "\r\n" in text else "\n"
    begin, end = example.line
    tail = example.text[example.stop : end].rstrip()
    line = example.text[begin : example.start] + reference + tail
    before = example.text[:begin]
    gap = newline if before.rstrip(" \t\r\n") and not before.endswith(("\n\n", "\n\r\n")) else newline * 2
    written = text[body:stop].rstrip()
    if _ITEM.match(line) and _ITEM.match(written.rpartition("\n")[2]):
        gap = newline
    if not written:
        return f"{text[:body].rstrip()}{newline * 2}{line}{text[body:stop] or newline}{text[stop:]}"
    return text[: body + len(written)] + gap + line + text[body + len(written) :]


def _with_tail(text: str, outline: Outline, example: Example, reference: str) -> str | None:
    """Return *text* with the statement after its status, which says nothing else yet."""
    own = example.field
    field = next((f for f in outline.fields if f.place is example.place and key_of(f.label) == "status"), None)
    if own is None or field is None or field.place in _YAML:
        return None
    verb = _VERB.search(example.text, own.start, example.start)
    state = _STATE.match(example.text, own.start, verb.start() if verb else example.start)
    if state is None or not _STATE.fullmatch(text[field.start : field.stop].rstrip()):
        return None
    lead = example.text[len(state[0].rstrip()) + own.start : example.start]
    closing = example.text[example.stop : own.stop]
    at = field.start + len(text[field.start : field.stop].rstrip())
    return text[:at] + lead + reference + closing + text[at:]


def _with_field(text: str, outline: Outline, example: Example, reference: str) -> str | None:
    """Return *text* with a new field, a line like that of *example* after, or before, the same neighbour."""
    field = example.field
    if field is None or field.place is Place.SECTION:
        return None
    begin = example.text.rfind("\n", 0, field.start) + 1
    lead = example.text[begin : field.start]
    if normal(field.label) not in normal(lead):
        return None
    stop = _end(example.text, field)
    ending = example.text[stop : _line(example.text, stop)[1]] if field.place not in _YAML else ""
    line = lead + _valued(field, f"{lead}", _raw_like(example, reference, field), at=len(lead)) + ending.rstrip("\r")
    before = example.text[:begin]
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = newline * 2 if field.place is Place.LINE and before.endswith(("\n\n", "\n\r\n")) else newline
    line = line.replace("\r\n", "\n").replace("\n", newline)
    own = [one for one in outline.fields if one.place is field.place]
    theirs = [one for one in example.outline.fields if one.place is field.place and one.label != field.label]
    earlier = [one for one in reversed(theirs) if one.start < field.start]
    for neighbour in earlier:
        if same := _labelled(own, neighbour.label):
            at = _line(text, _end(text, same))[1]
            at -= int(text[at - 1 : at] == "\r")
            return f"{text[:at]}{gap}{line}{text[at:]}"
    for neighbour in (one for one in theirs if one.start > field.start):
        if same := _labelled(own, neighbour.label):
            at = text.rfind("\n", 0, same.start) + 1
            return f"{text[:at]}{line}{gap}{text[at:]}"
    return None


def _labelled(fields: Sequence[Field], label: str) -> Field | None:
    return next((one for one in fields if normal(one.label) == normal(label)), None)


def _raw_like(example: Example | None, reference: str, field: Field) -> str:
    """Return the value of a field that names only *reference*, with the list and quotes of *example*."""
    if field.place not in _YAML:
        return reference
    source = example.field if example and example.place in _YAML else None
    if example is None or source is None:
        return f"[{yaml_scalar(reference)}]" if "[" in field.value else yaml_scalar(reference)
    lead = example.text[source.start : example.start]
    quote = lead[-1:] if lead[-1:] in ("'", '"') else ""
    if "\n" in lead:
        return f"\n{lead.rpartition(chr(10))[2]}{reference}{quote}"
    if lead.lstrip().startswith("["):
        return f"[{quote}{reference}{quote}]"
    return f"{quote}{reference}{quote}" if quote else yaml_scalar(reference)


def _valued(field: Field, text: str, raw: str, at: int | None = None) -> str:
    """Return *raw*, the new value of *field*, with the blank that separates it from the text before it."""
    last = text[(field.start if at is None else at) - 1 : field.start if at is None else at]
    if raw.startswith("\n") or not last or last.isspace():
        return raw
    return f" {raw} " if field.place is Place.TABLE and last == "|" else f" {raw}"


def _end(text: str, field: Field) -> int:
    """Return where the value of *field* ends, with the lines that continue it."""
    stop = field.stop
    if field.place not in _YAML:
        return stop
    if "\n" in (raw := text[field.start : stop]):  # a list: comments after it belong to what follows
        lines = raw.splitlines(keepends=True)
        while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
            stop -= len(lines.pop())
        return stop - (len(lines[-1]) - len(lines[-1].rstrip()))
    while True:
        begin, end = _line(text, stop)[1] + 1, 0
        if begin >= len(text) or text[begin] not in " \t":
            return stop
        end = _line(text, begin)[1]
        if not text[begin:end].strip():
            return stop
        stop = begin + len(text[begin:end].rstrip())


def _line(text: str, at: int) -> tuple[int, int]:
    begin = text.rfind("\n", 0, at) + 1
    stop = text.find("\n", at)
    return begin, len(text) if stop < 0 else stop
