"""The other records that a text of any form names: link targets, and ``PEP 12``; with the words between as markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from autology.text.adr.fields import RecordFront
from autology.text.adr.link_kinds import REPLACES_THIS, LinkKind
from autology.text.adr.links import find_links
from autology.text.markdown.sections import ParsedText

_REFERENCE = re.compile(
    r"\]\(<?(?P<inline>[^)\s<>]{1,500})"
    r"|^[ ]{0,3}\[[^\]\n]{1,200}\]:[ \t]*<?(?P<defined>[^\s<>]{1,500})"
    r"|`[^`\n<>]{0,200}<(?P<rst>[^`<>\s]{1,500})>`__?"
    r"|^\.\. _[^:\n]{1,200}:[ \t]+(?P<target>\S{1,500})"
    r"|:(?P<role>(?!(?:doc|ref):)[a-z]{2,12}):`(?:[^`<\n]{0,300}<)?(?P<number>\d{1,6})[^`\n]{0,300}`"
    r"|:(?:doc|ref):`(?:[^`<\n]{0,300}<)?(?P<doc>[^`<>\n]{1,300})>?`"
    r"|(?:link|xref):(?P<macro>[^\s\[\]]{1,500})\["
    r"|<<(?P<cross>[^\s,<>]{1,300})(?:,[^<>]{0,300})?>>"
    r"|\[\[(?:file:)?(?P<org>[^\[\]|\n]{1,500})(?:\]\[|\||\]\])"
    r"|(?P<url>https?://[^\s<>\"'`|)\]}]{1,500})",
    re.MULTILINE,
)
_TO_MARKDOWN = (
    (re.compile(r"`([^`\n<>]{0,200}?)\s*<([^`<>\s]{1,500})>`__?"), r"[\1](\2)"),
    (re.compile(r":([a-z]{2,12}):`(?:[^`<\n]*<)?(\d{1,6})[^`\n]*`"), r"\1 \2"),
    (re.compile(r"(?:link|xref):([^\s\[\]]{1,500})\[([^\]]*)\]"), r"[\2](\1)"),
    (re.compile(r"<<([^\s,<>]{1,300}),?\s*([^<>]*)>>"), r"[\2](\1)"),
    (re.compile(r"\[\[(?:file:)?([^\[\]|\n]{1,500})(?:\]\[|\|)([^\]\n]*)\]\]"), r"[\2](\1)"),
)
_VERB = re.compile(r"super[sc]e+d|obsolet|replac|remplac|reemplaz|ersetz", re.IGNORECASE)
_RECORD = (
    r"(?:(?:the|our|my|an?|earlier|previous|original|older|former|rfc|proposal|record|document|spec(?:ification)?"
    r"|decision|enhancement) ){0,3}"
)
_REPLACING = r"(?:super[sc]e+des?|obsoletes?|replaces?)"
_OF_ITSELF = re.compile(
    r"[\s*_>]*(?:(?:note|update|edit|warning)\W{1,4})?(?:"
    rf"this (?:(?:[a-z]{{2,6}}|proposal|record|document|specification|decision|enhancement) )?{_REPLACING}"
    rf"(?: and {_REPLACING})? {_RECORD}"
    rf"|(?:this (?:\w+ )?(?:is|was|has been) (?:super[sc]e+ded|obsoleted|replaced)|super[sc]e+ded) by {_RECORD}"
    r")[*_]*(?:\[|ADR-\d|#?\d)",
    re.IGNORECASE,
)
"""A paragraph that begins with what the record itself replaces, or is replaced by, and names that next."""
_SOME = (
    r"(?:(?:parts?|aspects?|portions?|sections?) of"
    r"|not (?:\w+ )?(?:replace|supersede|obsolete)\w* (?:all|the whole)(?: of)?)"
)
_IN_PART = re.compile(rf"\b{_SOME}\s", re.IGNORECASE)
_IN_PART_BEFORE = re.compile(rf"\b{_SOME}\s+(?:the )?\W*\Z", re.IGNORECASE)
_BLANK = re.compile(r"\n[ \t]*\n")
_DEFINED = re.compile(r"^[ ]{0,3}\[[^\]\n]{1,200}\]:[^\n]+$", re.MULTILINE)
_ROW = re.compile(r"^[ \t]*\|(?:[^|\n]*\|){3,}[ \t]*$", re.MULTILINE)
"""A row of a table with more than a label and its value: it speaks of what its other cells name."""
LONGEST = 4_000
"""Characters read of a paragraph."""
LONGEST_LABEL = 200
"""Characters of a link's label on either side of a mention in it."""
MOST = 2_000
"""References kept of one text; an index of hundreds of records is the longest that was met."""
AMBIGUOUS = frozenset(
    "rfc rfcs iso http section version step figure table chapter batch day draft issue iteration milestone phase pr rev"
    " revision sprint task ticket".split()
)
"""Prefixes that name other things as well: RFC 7231 is the IETF's, "rev 1 of this document" is not record 1. Such a
mention needs a link."""
NO_FRONT = RecordFront("", {}, "")


@dataclass(frozen=True, slots=True)
class Reference:
    """Another record named in a text: its link's *target*, or its *number* after a *prefix*; where it begins."""

    target: str
    number: int | None
    start: int
    stop: int
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """A record that the words of a text say to be replaced, or to replace: by a link's target or ``#<number>``;
    *of_itself* if the words name the record that they stand in."""

    supersedes: bool
    target: str
    start: int
    of_itself: bool


@lru_cache(maxsize=64)
def _mention(prefixes: frozenset[str]) -> re.Pattern[str] | None:
    names = [
        re.escape(prefix).replace(r"\ ", r"[\s_-]")
        for prefix in sorted(prefixes)
        if len(prefix) > 1 and prefix not in AMBIGUOUS
    ]
    if not names:
        return None
    return re.compile(
        rf"(?<![\w/.-])(?P<prefix>{'|'.join(names)})s?[\s#_:-]{{0,2}}0*(?P<number>\d{{1,6}})(?![\w]|[.-]\w)",
        re.IGNORECASE,
    )


def references(text: str, prefixes: frozenset[str]) -> Iterator[Reference]:
    """Yield the records that *text* may name, by link or as one of *prefixes* with a number."""
    count = 0
    for match in _REFERENCE.finditer(text):
        number = match["number"]
        target = next(
            (
                match[name]
                for name in ("inline", "defined", "rst", "target", "doc", "macro", "cross", "org", "url")
                if match[name]
            ),
            "",
        )
        if number is None and not target:
            continue
        if number is not None and match["role"] not in prefixes:
            continue
        yield Reference(target.rstrip(".,;:"), int(number) if number else None, match.start(), match.end())
        count += 1
        if count >= MOST:
            return
    pattern = _mention(prefixes)
    for mention in pattern.finditer(text) if pattern else ():
        if _is_label(text, *mention.span()):
            continue
        yield Reference("", int(mention["number"]), *mention.span(), mention["prefix"].lower())
        count += 1
        if count >= MOST:
            return


def named_in_part(text: str, references: Iterable[Reference]) -> Iterator[Reference]:
    """Yield those references in *text* of which it says that a part of the record is replaced, or not all of it."""
    if not _IN_PART.search(text):
        return
    for reference in references:
        start = reference.start
        if text.startswith("](", start):
            start = max(text.rfind("[", 0, start), 0)
        line = text.rfind("\n", 0, start) + 1
        if _IN_PART_BEFORE.search(text, max(line, start - LONGEST_LABEL), start) and _says_to_replace(text, start):
            yield reference


def _says_to_replace(text: str, at: int) -> bool:
    """Whether the paragraph before *at* speaks of replacing, or the words that lead to it: ``Supersedes:``."""
    begin = text.rfind("\n\n", 0, at)
    if _VERB.search(text, max(begin, 0, at - LONGEST), at):
        return True
    before = text[max(0, begin - LONGEST_LABEL) : max(begin, 0)].rstrip()
    return before.endswith(":") and _VERB.search(before.rpartition("\n\n")[2]) is not None


def _is_label(text: str, start: int, stop: int) -> bool:
    """Whether the words between *start* and *stop* stand in the label of a link: where that leads decides."""
    opening = text.rfind("[", max(0, start - LONGEST_LABEL), start)
    closing = text.find("]", stop, stop + LONGEST_LABEL)
    if opening < 0 or closing < 0 or "]" in text[opening:start] or "[" in text[stop:closing]:
        return False
    return text[closing + 1 : closing + 2] in ("(", "[")


def statements(
    text: str, prefixes: frozenset[str], number: int | None, *, of_itself: bool = False
) -> Iterator[Statement]:
    """Yield what the paragraphs of *text* say about replacing other records, or being replaced.

    The record's own *number* is not another's. With *of_itself*, only paragraphs that begin
    with such words about the record itself, or say what replaces it, count.
    """
    definitions: str | None = None
    for start, paragraph in _paragraphs(text):
        if not _VERB.search(paragraph):
            continue
        if definitions is None:
            definitions = definitions_in(text)
        stated = as_markdown(_ROW.sub("", paragraph), prefixes)
        is_of_itself = bool(_OF_ITSELF.match(" ".join(stated.split())) or REPLACES_THIS.search(stated))
        if of_itself and not is_of_itself:
            continue
        shown = f"{stated}\n\n{definitions}"
        for link in find_links(ParsedText.of(shown), "", number, NO_FRONT):
            if link.kind in (LinkKind.SUPERSEDES, LinkKind.SUPERSEDED_BY):
                yield Statement(link.kind == LinkKind.SUPERSEDES, link.target, start, is_of_itself)


def linked_paragraphs(text: str, prefixes: frozenset[str], pattern: re.Pattern[str]) -> Iterator[str]:
    """Yield the paragraphs of *text* in which *pattern* is found and a record may be named, as markdown."""
    for _, paragraph in _paragraphs(text):
        if pattern.search(paragraph) and next(references(paragraph, prefixes), None):
            yield as_markdown(paragraph, prefixes)


def definitions_in(text: str) -> str:
    """Return the lines of *text* that define where links lead."""
    return "\n".join(match[0] for match in _DEFINED.finditer(text))


def as_markdown(text: str, prefixes: frozenset[str]) -> str:
    """Return *text* with the links of other forms as markdown's, and numbered names as ``ADR-12``."""
    for pattern, form in _TO_MARKDOWN:
        text = pattern.sub(form, text)
    mention = _mention(prefixes)
    return mention.sub(lambda match: f"ADR-{match['number']}", text) if mention else text


def _paragraphs(text: str) -> Iterable[tuple[int, str]]:
    at = 0
    for blank in _BLANK.finditer(text):
        yield at, text[at : min(blank.start(), at + LONGEST)]
        at = blank.end()
    yield at, text[at : at + LONGEST]
