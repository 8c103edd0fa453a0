"""The headings of a markdown text, and their sections; frontmatter, code and comments are skipped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from autology.text.markdown.blocks import HEADING, LINE_END, LINE_START, heading_title, line_end, without_blocks
from autology.text.notes.frontmatter import body_start

_HEADING = re.compile(rf"{HEADING}|{LINE_START} {{0,3}}(?P<underline>=++|-++)[ \t]*+{LINE_END}")
# Lines without this need not be examined: it is found in a tenth of the time.
_MAYBE = re.compile(r"[\r\n\ufeff] {0,3}[#=-]")
# A line outside of paragraphs: a quotation, a list item, a table's row.
_NO_PARAGRAPH = re.compile(r" {0,3}(?:>|[-+*](?:[ \t]|\Z)|\d{1,9}[.)](?:[ \t]|\Z)|\|)")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*+){3,}|(?:_[ \t]*+){3,}|(?:-[ \t]*+){3,})\Z")
_INDENTED = re.compile(r" {4}| {0,3}\t")
_BOLD_LINE = re.compile(
    rf"{LINE_START} {{0,3}}(?P<bold>\*\*[^*\s][^*\r\n]{{0,200}}\*\*|__[^_\s][^_\r\n]{{0,200}}__):?[ \t]*{LINE_END}"
)
BOLD = 7
"""The level of a section under a bold line: below that of every heading."""
LONGEST_UNDERLINED = 10
"""Lines of a paragraph that an underline makes a heading; under a longer one the dashes are a rule."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the text under it, as offsets.

    ``text[start:body]`` is the heading with its line end, ``text[body:stop]`` what follows up to the next heading of
    any level (or the end). Text before the first heading is not a section.
    """

    level: int
    title: str
    start: int
    body: int
    stop: int


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A *text*, the same with code and comments blanked (*prose*), and its sections, all with the same offsets."""

    text: str
    prose: str
    sections: tuple[Section, ...]

    @classmethod
    def of(cls, text: str) -> ParsedText:
        """Return *text* parsed."""
        prose = without_blocks(text)
        return cls(text, prose, sections(text, prose))

    def behind(self, at: int) -> ParsedText:
        """Return the text after *at*, where a section's body begins or the text itself."""
        offsets = (
            Section(section.level, section.title, section.start - at, section.body - at, section.stop - at)
            for section in self.sections
            if section.start >= at
        )
        return ParsedText(self.text[at:], self.prose[at:], tuple(offsets)) if at else self


def sections(text: str, prose: str | None = None) -> tuple[Section, ...]:
    """Return the sections of *text* in order: headings with ``#`` and underlined ones.

    *prose* is :func:`without_blocks` of *text*, if the caller has it already.
    """
    return _divided(text, tuple(_headings(text, without_blocks(text) if prose is None else prose)))


def with_bold_lines(text: str) -> tuple[Section, ...]:
    """Return the sections of *text*, and those under bold lines, which rank below every heading."""
    prose = without_blocks(text)
    headings = tuple(_headings(text, prose))
    floor = body_start(text)
    bold = (
        (BOLD, " ".join(text[slice(*match.span("bold"))][2:-2].split()), match.start(), line_end(text, match.end()))
        for match in _BOLD_LINE.finditer(prose, floor)
        if not any(start <= match.start() < body for _, _, start, body in headings)
        and _begins_a_paragraph(prose, match.start(), floor, headings)
    )
    return _divided(text, sorted([*headings, *bold], key=lambda heading: heading[2]))


def with_parents(all_sections: Sequence[Section]) -> list[tuple[Section, ...]]:
    """Return each section with those that it lies in, the outermost first, its own last."""
    paths: list[tuple[Section, ...]] = []
    for section in all_sections:
        parents = paths[-1] if paths else ()
        paths.append((*(parent for parent in parents if parent.level < section.level), section))
    return paths


def extent(all_sections: Sequence[Section], index: int) -> int:
    """Return where the section at *index* ends together with its subsections."""
    level = all_sections[index].level
    later = (all_sections[at] for at in range(index + 1, len(all_sections)))
    return next((section.start for section in later if section.level <= level), all_sections[-1].stop)


_Heading: TypeAlias = tuple[int, str, int, int]  # its level, title, start, and where its line ends


def _divided(text: str, headings: Sequence[_Heading]) -> tuple[Section, ...]:
    """Return the sections of *text* under these *headings*, which are in order."""
    stops = (*(start for _, _, start, _ in headings[1:]), len(text))
    return tuple(Section(*heading, stop) for heading, stop in zip(headings, stops, strict=False))


def _begins_a_paragraph(prose: str, at: int, floor: int, headings: Sequence[_Heading]) -> bool:
    above = prose[_line_start(prose, at, floor) : at]
    return not above.strip() or any(body == at for _, _, _, body in headings)


def _headings(text: str, prose: str) -> Iterator[_Heading]:
    """Yield (level, title, start, body) of each heading."""
    # The earliest position at which the paragraph of an underlined heading can begin.
    floor = body_start(text) or int(text.startswith("\ufeff"))
    for match in _looked_for(prose, floor):
        body = line_end(text, match.end())
        if match["hashes"]:
            title = heading_title(text[slice(*match.span("title"))] if match["title"] else "")
            yield len(match["hashes"]), title, match.start(), body
        else:
            start = _paragraph_start(prose, match.start(), floor)
            if start is not None:
                title = " ".join(text[start : match.start()].split())
                yield 1 if match["underline"][0] == "=" else 2, title, start, body
        floor = body


def _looked_for(prose: str, first: int) -> Iterator[re.Match[str]]:
    """Yield the matches of _HEADING in *prose* from *first* on."""
    match = _HEADING.match(prose, first)
    at = first
    while True:
        if match:
            yield match
            at = match.end()
        if not (maybe := _MAYBE.search(prose, at)):
            return
        at = maybe.start() + 1
        match = _HEADING.match(prose, at)


def _paragraph_start(prose: str, stop: int, floor: int) -> int | None:
    """Return the beginning of the paragraph that ends right before *stop*; None if no paragraph does."""
    start = stop
    for _ in range(LONGEST_UNDERLINED + 1):
        line_start = _line_start(prose, start, floor)
        line = prose[line_start:start].rstrip()
        if not line or _RULE.match(line):
            return start if start < stop and not _INDENTED.match(prose, start) else None
        if _NO_PARAGRAPH.match(line):
            return None
        start = line_start
    return None


def _line_start(prose: str, at: int, floor: int) -> int:
    """Return the beginning of the line that ends, with its newline, at *at*; not before *floor*."""
    if at <= floor:
        return floor
    before = at - 2 if prose.startswith("\r\n", at - 2) else at - 1
    return max(floor, prose.rfind("\n", floor, before) + 1, prose.rfind("\r", floor, before) + 1)
