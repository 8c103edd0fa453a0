"""Writing a new record like an existing one: its name, its head with other values, and a body in its form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime

from autology.text.markdown.sections import sections
from autology.text.records.field_labels import normal
from autology.text.records.file_names import parsed
from autology.text.records.outline import ASCIIDOC, MARKDOWN, ORG, RST, Field, Heading, Outline, Place
from autology.text.slug import slug

WRITTEN = (MARKDOWN, RST, ASCIIDOC, ORG)
"""The forms in which new records are written."""
_NUMBERED = re.compile(r"(?P<head>.*?)(?P<number>\d+)(?P<gap>[-_. ]*)(?P<words>.*)\Z", re.DOTALL)
_DATED = re.compile(r"\d{4}(?P<mark>[-_.]?)\d\d(?P=mark)\d\d(?P<gap>[-_. ]+)(?P<words>[^\d].*)\Z", re.DOTALL)
_DATES = ("%Y-%m-%d", "%d-%b-%Y", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y")
_RULE = re.compile(r"[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|?)+[ \t]*$", re.MULTILINE)
_MARKS = "=-~^\"'"
_LONGEST = 80
"""Characters of the words in a new file's name."""


class NotComposableError(ValueError):
    """No new record can be written like that one; the message says why."""


def name_like(stem: str, number: int, title: str, today: date) -> str:
    """Return the name of a new record, without extension, as that of its neighbour *stem*."""
    if dated := _DATED.match(stem):
        day = today.strftime(f"%Y{dated['mark']}%m{dated['mark']}%d")
        return f"{day}{dated['gap']}{_words_like(dated['words'], title)}"
    if parsed(stem).date is not None:
        raise NotComposableError(f"the name {stem} has a date in a form that is not written here")
    if parsed(stem).number is None:
        return _words_like(stem, title)
    numbered = _NUMBERED.match(stem)
    assert numbered is not None
    words = f"{numbered['gap']}{_words_like(numbered['words'], title)}" if numbered["words"] else ""
    return f"{numbered['head']}{str(number).zfill(len(numbered['number']))}{words}"


def _words_like(words: str, title: str) -> str:
    plain = slug(title.replace("/", " "))[:_LONGEST].rstrip("-")
    return plain.replace("-", "_") if "_" in words and "-" not in words else plain


def head_like(text: str, outline: Outline, keys: Mapping[Place, Mapping[str, str]], title: tuple[str, str]) -> str:
    """Return the part of *text* before its first section of content, with other values.

    *keys* are the values to write by place and label; fields that it does not name are left out. *title* is what stands
    in the heading before and after, ("", "") if the title is not a heading.
    """
    titled = outline.headings[:1] if title[0] else ()
    stating = _stating(outline.headings[len(titled) :], keys.get(Place.SECTION, {}))
    heads = (*titled, *stating)
    stop = next((one.start for one in outline.headings if one not in heads), len(text))
    edits = [_section(outline, one, keys[Place.SECTION]) for one in stating]
    edits += [_heading(text, one, title) for one in titled]
    spans = [(edit[0], edit[1]) for edit in edits]
    for field in outline.fields:
        inside = any(begin <= field.start < end for begin, end in spans)
        if field.place in (Place.SECTION, Place.PROSE, Place.SIDECAR) or field.start >= stop or inside:
            continue
        value = keys.get(field.place, {}).get(normal(field.label))
        edits.append(_left_out(text, field) if value is None else (field.start, field.stop, _like(field, text, value)))
    return _edited(text[:stop], edits)


def fields_like(text: str, fields: Sequence[Field], values: Mapping[str, str]) -> str:
    """Return the YAML *text* with these *values* by key, and without the other *fields*."""
    edits = []
    for field in fields:
        value = values.get(normal(field.label))
        edits.append(_left_out(text, field) if value is None else (field.start, field.stop, _like(field, text, value)))
    return _edited(text, edits)


Headline = Callable[[int, str], str]
"""Returns the heading of a level and title in a record's form."""


def body_like(content: str, headline: Headline, level: int, titles: Mapping[str, str]) -> str:
    """Return the markdown *content* with its sections at *level* and in that form; *titles* are other ones for them."""
    parts = sections(content)
    if not parts:
        return content.strip() + "\n"
    top = min(part.level for part in parts)
    out = [content[: parts[0].start].strip()]
    for part in parts:
        title = titles.get(part.title, part.title)
        out += [headline(min(level + part.level - top, 6), title), content[part.body : part.stop].strip()]
    return "\n\n".join(part for part in out if part) + "\n"


def headline_like(text: str, outline: Outline) -> Headline:
    """Return how headings are written in *text*."""
    underlines: dict[int, str] = {}
    if outline.form == RST:
        for heading in outline.headings:
            lines = text[heading.start : heading.body].split()
            if lines:
                underlines.setdefault(heading.level, lines[-1][0])

    def headline(level: int, title: str) -> str:
        if outline.form == RST:
            mark = underlines.get(level) or _MARKS[min(level, len(_MARKS)) - 1]
            return f"{title}\n{mark * max(4, len(title))}"
        return f"{ {MARKDOWN: '#', ASCIIDOC: '='}.get(outline.form, '*') * level } {title}"

    return headline


def day_like(written: str, iso: str, today: date) -> str:
    """Return *today* in the form of *written*, which is the day *iso*."""
    for pattern in _DATES:
        try:
            if datetime.strptime(written.strip(), pattern).date().isoformat() == iso:  # noqa: DTZ007 - a day
                return today.strftime(pattern)
        except ValueError:
            continue
    return today.isoformat()


def _stating(headings: Sequence[Heading], values: Mapping[str, str]) -> list[Heading]:
    """Return the first of *headings*, as far as their sections state *values*."""
    stating = []
    for heading in headings:
        if normal(heading.title) not in values:
            break
        stating.append(heading)
    return stating


def _heading(text: str, heading: Heading, title: tuple[str, str]) -> tuple[int, int, str]:
    before, after = title
    span = text[heading.start : heading.body]
    if before not in span:
        raise NotComposableError("its title is written with mark-up")
    changed = span.replace(before, after, 1)
    lines = changed.splitlines(keepends=True)
    longest = max(len(line.rstrip()) for line in lines if after in line)
    for number, line in enumerate(lines):
        bare = line.strip()
        if len(bare) > 2 and len(set(bare)) == 1 and not bare[0].isalnum() and after != bare:
            lines[number] = bare[0] * longest + line[len(line.rstrip("\r\n")) :]
    return heading.start, heading.body, "".join(lines)


def _section(outline: Outline, heading: Heading, values: Mapping[str, str]) -> tuple[int, int, str]:
    stop = outline.stop(outline.headings.index(heading))
    return heading.body, stop, f"\n{values[normal(heading.title)]}\n\n"


def _left_out(text: str, field: Field) -> tuple[int, int, str]:
    """Return the edit that removes the whole lines of *field*; the head of a table stays."""
    end = text.find("\n", max(field.stop - 1, field.start))
    if field.place is Place.TABLE and _RULE.match(text, end + 1):
        return field.start, field.stop, text[field.start : field.stop]
    begin = text.rfind("\n", 0, field.start) + 1
    if not text[begin : field.start].strip(" \t-*+|:>") and normal(field.label) not in normal(text[begin : field.stop]):
        begin = text.rfind("\n", 0, max(begin - 1, 0)) + 1  # a list below its key
    return begin, len(text) if end < 0 else end + 1, ""


def _like(field: Field, text: str, value: str) -> str:
    """Return *value* with the spaces and quotes that surround the one of *field*."""
    span = text[field.start : field.stop]
    plain = span.strip()
    lead, tail = span[: len(span) - len(span.lstrip())], span[len(span.rstrip()) :]
    if field.place in (Place.FRONTMATTER, Place.SIDECAR):
        from autology.text.records.editing import yaml_scalar

        quoted = plain[:1] in "\"'" and plain[:1] == plain[-1:]
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'{lead}"{escaped}"{tail}' if quoted else f"{lead}{yaml_scalar(value)}{tail}"
    return f"{lead}{value}{tail}"


def _edited(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    at = len(text) + 1
    for begin, stop, new in sorted(set(edits), reverse=True):
        if stop <= at:  # two fields of one line are left out once
            text = text[:begin] + new + text[stop:]
            at = begin
    return text
