"""The references in a record's text: links, wiki links, ``ADR-12`` and the like, with their positions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

from autology.text.adr.titles import NAMES, file_name
from autology.text.markdown.blocks import DEFINITION
from autology.text.slug import MARKDOWN, without_fragment

_DEFINITION = re.compile(DEFINITION + r"<?(?P<target>[^\s<>]{1,2000})>?[^\r\n]*")
_TARGET = re.compile(
    r"!\[[^\[\]]{0,500}\](?:\([^()\s]{0,2000}\)|\[[^\[\]]{0,200}\])?"
    r"|\[\[(?P<wiki>[\w ./()-]{1,300})(?:[|#][^\[\]\r\n]{0,300})?\]\]"
    r"|(?<!\\)\[(?P<text>[^\[\]]{0,500})\]"
    r"(?:\([ ]?(?:<(?P<angled>[^<>\r\n]{0,2000})>|(?P<target>(?:[^()\s<>]|\([^()\s]{0,200}\)){0,2000}))"
    r"(?:\s{1,3}(?:\"[^\"]{0,300}\"|'[^']{0,300}'))?[ ]?\)"
    r"|\[(?P<label>[^\[\]]{0,200})\])?"
    r"|(?P<url>https?://[^\s<>\"'`|)\]]{1,2000})"
    rf"|(?<![\w/.\\-])(?P<named>{NAMES}[\s_#-]{{0,3}}\d{{1,8}})(?![\w]|[-.]\d|-\w+\.\w)"
    # Only if the words before it say so: a bare number is rarely a record's.
    r"|(?<![\w/.\\-])(?P<weak>(?:(?:decision|record)\s{1,3})?#?\d{1,8})"
    r"(?=[ \t]*(?:[,;.)\]*_|\r\n]|(?:and|or|in part|partially)\b|\Z))(?![.,]\d)",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"(?<![\w/.\\-])(?:{NAMES})[\s_#-]{{0,3}}\d{{1,8}}(?![\w]|[-.]\d)", re.IGNORECASE)


_RECORDS = (*MARKDOWN, ".rst", ".adoc", ".asciidoc", ".asc", ".org")
"""Endings of the files that records are written in."""


@dataclass(frozen=True, slots=True)
class Target:
    """A place in the text that may refer to a record; a *weak* one only if the words before it say so."""

    start: int
    stop: int
    target: str
    weak: bool = False


def definitions(prose: str) -> tuple[dict[str, str], str]:
    """Return the link definitions in *prose* by label, and *prose* with them blanked out."""
    by_label: dict[str, str] = {}

    def take(match: re.Match[str]) -> str:
        by_label.setdefault(_label(match["label"]), match["target"])
        return " " * len(match[0])

    return by_label, _DEFINITION.sub(take, prose)


def targets(prose: str, defined: Mapping[str, str]) -> Iterator[Target]:
    """Yield the places in *prose* that may refer to a record, in order."""
    for match in _TARGET.finditer(prose):
        weak = match["weak"] is not None
        named = match["named"] or match["weak"]
        target = named or _linked(match, defined)
        if target:
            yield Target(match.start(), match.end(), " ".join(target.split()), weak)


def link_path(target: str) -> str | None:
    """Return the path of a link's *target*, without fragment and query; None for a web address."""
    if re.match(r"[a-z][a-z0-9+.-]+:", target, re.IGNORECASE) or target.startswith("//"):
        return None
    return unquote(without_fragment(target))


@lru_cache(maxsize=1024)
def looks_like_record(target: str) -> bool:
    """Whether a link's *target* can be a record's file: a text of a known form, or numbered and without extension."""
    path = link_path(target)
    if path is None:
        # On a website, only a numbered text: it may be this repository's own.
        name = without_fragment(target).rsplit("/", 1)[-1]
        return name.lower().endswith(_RECORDS) and file_name(name).number is not None
    name = path.rstrip("/").rsplit("/", 1)[-1]
    if name.lower().endswith(_RECORDS):
        return True
    numbered = file_name(name)
    return "." not in name and numbered.number is not None and numbered.slug != ""


def _linked(match: re.Match[str], defined: Mapping[str, str]) -> str | None:
    """Return what the link in *match* may refer to, if a record: its target, else its text."""
    if match["wiki"] or match["url"]:
        target = (match["wiki"] or match["url"]).rstrip(".,;:!?")
        return target if match["wiki"] or looks_like_record(target) else None
    if match["text"] is None:
        return None
    target = match["angled"] or match["target"] or ""
    if not target:
        target = defined.get(_label(match["label"] or match["text"]), "")
    if target and looks_like_record(target):
        return target
    named = _NAMED.search(match["text"])
    return named[0] if named else None


def _label(text: str) -> str:
    return " ".join(text.lower().split())
