"""Paths that a text mentions: the files it may be about. The caller checks which of them exist."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from autology.text.markdown.blocks import DEFINITION
from autology.text.markdown.sections import ParsedText
from autology.text.slug import without_fragment

MOST_MENTIONS = 1_000
"""Paths kept of one text; the maximum in the 120 real records of the trials is 17."""

_NAME = r"[\w.@+~-]"
_SOURCES = (
    "c|cc|cfg|clj|cljs|conf|cpp|cs|css|dart|ex|exs|go|gradle|graphql|h|hpp|html|java|js|json|jsx|kt|kts|lua|m|md|mjs|php|proto|ps1"
    "|py|pyi|rake|rb|rs|scala|scss|sh|sql|svelte|swift|tf|toml|ts|tsx|txt|vue|xml|yaml|yml"
)
_PATH = re.compile(
    # A link's target; web addresses, which are not paths; text in backticks; running text.
    r"\]\([ ]?<?(?P<link>[^\s()<>]{1,500})>?(?=[\s)])"
    rf"|{DEFINITION}<?(?P<defined>[^\s<>]{{1,500}})"
    r"|[A-Za-z][A-Za-z0-9+.-]{1,20}:(?=//)[^\s<>\"'`)\]]{0,2000}"
    r"|(?<!`)`(?P<code>[^\s`]{1,500})`(?!`)"
    rf"|(?<![\w/\\@.~+:-])(?P<plain>(?:\.{{1,2}}/){{0,20}}/?(?:{_NAME}{{1,255}}+/){{1,40}}(?:{_NAME}{{1,255}})?"
    rf"|\w{_NAME}{{0,250}}?\.(?:{_SOURCES})(?![\w/-]))"
)
_LINE_NUMBER = re.compile(r"(?::\d+(?:[:-]\d+)?|\#L\d+(?:-L?\d+)?)\Z")
_SOURCE = re.compile(rf"[^/]*[^/.]\.(?:{_SOURCES})\Z", re.IGNORECASE)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#|\?|www\.")
_PATH_LIKE = re.compile(rf"[/.]{{0,80}}(?:{_NAME}|[\[\]() ,])+(?:/(?:{_NAME}|[\[\]() ,])+)*/?\Z")


def find_mentions(page: ParsedText, path: str) -> tuple[str, ...]:
    """Return the paths that a text mentions, without duplicates, in order, from the project's root.

    Link targets are relative to the file at *path*; others are as written, without ``./``, line numbers and fragments.
    In running text a path needs an extension or a trailing slash, in backticks a slash or an extension. Fenced code is
    skipped: it shows examples more often than references.
    """
    folder = posixpath.dirname(path)
    paths: dict[str, None] = {}
    for mention in _candidates(page.prose, folder):
        if mention not in (".", "..", "", path) and not mention.startswith("../"):
            paths.setdefault(mention)
            if len(paths) >= MOST_MENTIONS:
                break
    return tuple(paths)


def _candidates(prose: str, folder: str) -> Iterator[str]:
    for match in _PATH.finditer(prose):
        linked = match["link"] or match["defined"]
        if linked:
            target = unquote(without_fragment(linked))
            if target and not _ADDRESS.match(linked):
                yield _normal(target if target.startswith("/") else f"{folder}/{target}" if folder else target)
            continue
        written = match["code"] or match["plain"]
        if written is None:
            continue
        mention = _LINE_NUMBER.sub("", written.rstrip(".,;:!?")).replace("\\", "/")
        if _names_a_file(mention, in_code=match["code"] is not None):
            yield _normal(posixpath.join(folder, mention) if mention.startswith("../") else mention)


def _names_a_file(mention: str, *, in_code: bool) -> bool:
    if _ADDRESS.match(mention) or not _PATH_LIKE.match(mention) or not any(map(str.isalpha, mention)):
        return False
    if _SOURCE.match(mention.rsplit("/", 1)[-1]):
        return True
    if "/" not in mention.strip("/"):
        return False
    return in_code or mention.endswith("/")


def _normal(path: str) -> str:
    return posixpath.normpath(path.lstrip("/") or ".")
