"""Quoting: the sentence around a link in a text, as plain words, so that a backlink says why it is one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autology.text.adr.plain import plain
from autology.text.language.sentences import sentence_ends
from autology.text.markdown.blocks import DEFINITION, HEADING_LINE
from autology.text.redaction import secrets_in, without
from autology.text.sanitising import ELLIPSIS, visible

SIDE = 240
"""Maximum characters quoted on each side of a link: a long sentence is cut there."""
BLOCK = 4_000
"""Maximum characters on each side of a link in which its paragraph, and secrets around it, are looked for."""

# The links of all forms of text, each with the words that it shows.
_LINK = re.compile(
    r"!?\[\[(?:file:|id:)?(?P<wiki>[^\[\]|\n]{1,1000})(?:\|(?P<alias>[^\[\]\n]{1,300})|\]\[(?P<org>[^\[\]\n]{1,500}))?\]\]"
    r"|!?\[(?P<label>(?:[^\[\]]|\[[^\[\]]{0,200}\]){1,500})\](?:\((?:[^()\n]|\([^()\n]{0,200}\)){0,2000}\)|\[[^\[\]\n]{0,200}\])"
    r"|(?::[a-z:]{2,20}:)?`(?P<rst>[^`<>\n]{1,300}?)\s*(?:<[^`<>\n]{1,1000}>)?`_{0,2}"
    r"|\b(?:link|xref):[^\s\[\]]{1,500}\[(?P<macro>[^\]\n]{0,300})\]"
    r"|<<[^\s,<>]{1,300}(?:,\s*(?P<cross>[^<>\n]{0,300}))?>>"
)
_DEFINED = re.compile(DEFINITION)
_BREAK = re.compile(r"[ \t>]*(?:=+[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t]|\||```|~~~|$)", re.MULTILINE)
"""What begins a block of its own, at the beginning of a line, beside headings and definitions."""
_ROW = re.compile(r"[ \t>]*(?:\||```|~~~)")
_LEAD = re.compile(r"[ \t>]*(?:=+[ \t]+|[-*+][ \t]+|\d{1,9}[.)][ \t]+|\|[ \t]*)?")
_QUOTED = re.compile(r"\n[ \t]*>[ \t]?")
_STRAY = re.compile(r"\*\*|(?<!\w)__|__(?!\w)|(?<=\s)\|(?=\s)|\|\s*\Z")
_POINTS_BACK = re.compile(r"[\s\"'(*_]*(?:it|its|they|their)\b", re.IGNORECASE)
_HEAD = re.compile(r"(?P<marks>\*\*|__)(?P<term>[^*\n]{1,80}?):?(?P=marks)")
"""The term in bold at the beginning of a list item or a paragraph that says something about it."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A link's words, with those of its sentence before and after it."""

    before: str
    link: str
    after: str


def quote(text: str, start: int, stop: int) -> Quote:
    """Return the sentence around the link of which ``text[start:stop]`` is a part; secrets are redacted.

    What "it" is stands before the sentence: the term in bold that begins its block, or else the sentence before.
    """
    start, stop = _used(text, start, stop)
    low = max(0, start - BLOCK)
    text = text[low : stop + BLOCK]
    start, stop = start - low, stop - low
    first, last = _paragraph(text, start, stop)
    link_start, link_stop, words = _link_at(text, start, stop, first, last)
    masked = _without_links(text, first, last)
    block = previous = first
    for end in sentence_ends(masked, first, last):
        if end <= link_start:
            previous, first = first, end
        elif end >= link_stop:
            last = end
            break
    secrets = secrets_in(text)
    topic = ""
    if first > block and (_POINTS_BACK.match(masked, first) or _POINTS_BACK.match(masked, link_stop)):
        if head := _HEAD.match(masked, block, first):
            topic = f"{_plain(without(text, secrets, *head.span('term')))}: {ELLIPSIS} "
        elif " " in masked[previous:first].strip() and not _POINTS_BACK.match(masked, previous):
            first = previous  # one word, as "Yes.", says nothing of what it is
    before, after = _plain(without(text, secrets, first, link_start)), _plain(without(text, secrets, link_stop, last))
    if any(secret.start < link_stop and secret.stop > link_start for secret in secrets):
        words = without(text, secrets, link_start, link_stop)
    return Quote(topic + _tail(before), _plain(words).strip(), _head(after))


def _used(text: str, start: int, stop: int) -> tuple[int, int]:
    """Return where the link is used, if it is defined apart from the text, as in ``[name]: path``."""
    definition = _DEFINED.match(text, text.rfind("\n", 0, start) + 1, start)
    if definition is None:
        return start, stop
    use = re.search(rf"\]?\[{re.escape(definition['label'])}\](?![:(])", text)
    return (use.start() + 1, use.end() - 1) if use else (start, stop)


def _paragraph(text: str, start: int, stop: int) -> tuple[int, int]:
    """Return where the paragraph, list item, heading or table row around a place begins, after its mark, and ends."""
    first = text.rfind("\n", 0, start) + 1
    while first and not _begins_block(text, first):
        above = text.rfind("\n", 0, first - 1) + 1
        if not text[above : first - 1].strip() or _is_alone(text, above):
            break
        first = above
    last = _line_end(text, stop)
    while last < len(text) and not (_begins_block(text, last + 1) or _is_alone(text, first)):
        last = _line_end(text, last + 1)
    if heading := HEADING_LINE.match(text, first):
        return max(heading.start("title"), first), last
    lead = _LEAD.match(text, first, start)
    return (lead.end() if lead else first), last


def _begins_block(text: str, line: int) -> bool:
    return bool(_BREAK.match(text, line)) or _is_alone(text, line)


def _is_alone(text: str, line: int) -> bool:
    """Whether a line is a block by itself."""
    return any(pattern.match(text, line) for pattern in (HEADING_LINE, _DEFINED, _ROW))


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _link_at(text: str, start: int, stop: int, first: int, last: int) -> tuple[int, int, str]:
    """Return where the whole link around ``text[start:stop]`` begins and ends, and the words that it shows."""
    for match in _LINK.finditer(text, first, last):
        if match.start() <= start and stop <= match.end():
            return *match.span(), _words(match) or text[start:stop]
    return start, stop, text[start:stop]


def _without_links(text: str, first: int, last: int) -> str:
    """Return *text* with its links between two places blanked: a full stop in a path ends no sentence."""
    middle = _LINK.sub(lambda match: "_" * len(match[0]), text[first:last])
    return text[:first] + middle + text[last:]


def _words(match: re.Match[str]) -> str:
    """Return the words that a link shows."""
    names = ("alias", "org", "label", "macro", "cross", "rst", "wiki")
    return next((match[name] for name in names if match[name]), "")


def _is_code(match: re.Match[str]) -> bool:
    return bool(match["rst"]) and match[0].startswith("`") and match[0].endswith("`") and "<" not in match[0]


def _plain(markdown: str) -> str:
    markdown = _QUOTED.sub("\n", visible(markdown))
    markdown = _STRAY.sub("", _LINK.sub(lambda match: match[0] if _is_code(match) else _words(match), markdown))
    words = plain(markdown)
    if not words:
        return " " if markdown[:1].isspace() else ""
    return f"{' ' * markdown[:1].isspace()}{words}{' ' * markdown[-1:].isspace()}"


def _tail(words: str) -> str:
    if len(words) <= SIDE:
        return words.lstrip()
    return ELLIPSIS + words[words.find(" ", len(words) - SIDE) + 1 :]


def _head(words: str) -> str:
    if len(words) <= SIDE:
        return words.rstrip()
    return words[: words.rfind(" ", 0, SIDE)] + ELLIPSIS
