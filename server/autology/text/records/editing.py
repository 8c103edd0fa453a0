"""Changing one value of a record's text where it stands; every other character stays as it is."""

from __future__ import annotations

import re

from autology.text.records.outline import Field, Heading, Place

_ADORNMENT = re.compile(r"([^\w\s])\1*[ \t]*\Z")
_WORDS = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)*")
_REPLACED = re.compile(
    r"super[sc]ed|replaced|obsolet|ersetzt|remplac|reemplaz|sustitu|substitu|取代|替代", re.IGNORECASE
)
_YAML = (Place.FRONTMATTER, Place.SIDECAR)
_PLAIN = re.compile(r"[^\W_][^:#\[\]{},&*!|>%@`\"'\\\n]*\Z")
_RESERVED = frozenset(("true", "false", "null", "yes", "no", "on", "off", "~"))


class NotWritableError(ValueError):
    """The value does not stand there as plain text; the message says what is in the way."""


def with_status(text: str, field: Field, word: str, successor: str = "") -> str:
    """Return *text* with the state in *field* replaced by *word*, and by the *successor*: ``by [7. X](7.md)``.

    Details after the state, such as a date, stay, unless the former state named a successor.
    """
    begin, stop = _stating_line(text, field)
    line = text[begin:stop]
    match = _WORDS.search(line)
    if match is None:
        raise NotWritableError("its status is not written as words")
    until = len(line.rstrip()) if _REPLACED.search(match[0]) else match.end()
    tail = line[until:]
    closing = re.search(r"[\"'*_`|]+[ \t]*\Z", line[match.start() : until]) if until != match.end() else None
    if closing:
        until -= len(closing[0])
        tail = line[until:]
    new = cased(word, match[0])
    if successor:
        new = f"{new} {successor}"
        if field.place in _YAML and not line[: match.start()].strip():
            new = yaml_scalar(new)
    return text[:begin] + line[: match.start()] + new + tail + text[stop:]


def status_text(text: str, field: Field) -> str:
    """Return the part of the line in *field* that states its status. Raises NotWritableError."""
    begin, stop = _stating_line(text, field)
    return text[max(begin, field.start) : stop].strip()


def with_status_text(text: str, field: Field, former: str) -> str:
    """Return *text* with *former*, as :func:`status_text` returned it, in place of what states the status now."""
    begin, stop = _stating_line(text, field)
    begin = max(begin, field.start)
    span = text[begin:stop]
    return text[: begin + len(span) - len(span.lstrip())] + former + text[begin + len(span.rstrip()) :]


def with_title(text: str, heading: Heading | Field, before: str, after: str) -> str:
    """Return *text* with the title *before*, which stands at *heading*, replaced by *after*."""
    if isinstance(heading, Field):
        return _with_value(text, heading, before, after)
    span = text[heading.start : heading.body]
    at = span.find(before)
    if at < 0:
        raise NotWritableError("its title is written with mark-up")
    changed = span[:at] + after + span[at + len(before) :]
    return text[: heading.start] + _adorned(changed, len(after) - len(before)) + text[heading.body :]


def yaml_scalar(value: str) -> str:
    """Return *value* as a YAML scalar on one line: plain where that is safe, else in quotes."""
    if _PLAIN.match(value) and value.lower() not in _RESERVED and not value.endswith(" "):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def cased(word: str, like: str) -> str:
    """Return *word* in the capitals of *like*: all, the first letter's, or none."""
    if like.isupper() and len(like) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if like[:1].isupper() else word.lower()


def _stating_line(text: str, field: Field) -> tuple[int, int]:
    """Return the span of the line in *field* that states the status: the first with words."""
    at = field.start
    for line in text[field.start : field.stop].splitlines(keepends=True):
        if _WORDS.search(line):
            return at, at + len(line.rstrip("\r\n"))
        at += len(line)
    raise NotWritableError("it has no status yet")


def _with_value(text: str, field: Field, before: str, after: str) -> str:
    span = text[field.start : field.stop]
    at = span.find(before)
    if at < 0 and field.place in _YAML:
        quoted = span.strip()
        if quoted[:1] not in "\"'" or "\n" in quoted:
            raise NotWritableError("its title is written over several lines")
        at, before = span.find(quoted), quoted
    if at < 0:
        raise NotWritableError("its title is written with mark-up")
    outer = text[max(0, field.start - 1) : field.start] if at == 0 else span[at - 1 : at]
    if field.place is Place.TABLE and "|" in after:
        after = after.replace("|", "\\|")
    if field.place in _YAML:
        after = _in_quotes(after, outer) if outer in ("'", '"') else yaml_scalar(after)
    start = field.start + at
    return text[:start] + after + text[start + len(before) :]


def _in_quotes(value: str, quote: str) -> str:
    return value.replace("'", "''") if quote == "'" else value.replace("\\", "\\\\").replace('"', '\\"')


def _adorned(span: str, longer: int) -> str:
    """Return the lines of a heading with its adornments, if any, as long as before in relation to its title."""
    lines = span.splitlines(keepends=True)
    for number, line in enumerate(lines):
        bare = line.rstrip("\r\n")
        if len(bare.strip()) >= 3 and _ADORNMENT.match(bare) and longer:
            mark = bare.strip()[0]
            lines[number] = mark * max(4, len(bare.strip()) + longer) + line[len(bare) :]
    return "".join(lines)
