"""Replacing one section of a document: the text under a heading, or under a line in bold that serves as one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from autology.model.errors import ValidationError
from autology.text.markdown.sections import BOLD, Section, extent, sections, with_bold_lines
from autology.text.slug import key

LISTED = 20
BYTE_ORDER_MARK = "\ufeff"
"""The file keeps its own, or has none: one in the text that a caller read elsewhere would stand there twice."""
_MARKUP = re.compile(r"\*+|`+|__")


def replaced(text: str, content: str, section: str | None) -> str:
    """Return *text* with *content* in place of all of it, or of one section.

    Raises:
        ValidationError: no section is called so, or several are.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    fitted = content.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\n", newline)
    if section is None:
        return fitted
    found, at = _named(text, section)
    stop = extent(found, at)
    # Content that brings the section's own heading along replaces that too.
    own = next(iter(sections(fitted) if found[at].level < BOLD else with_bold_lines(fitted)), None)
    whole = own is not None and own.start == 0 and _plain(own.title) == _plain(found[at].title)
    start = found[at].start if whole else found[at].body
    gap = "" if whole or text[:start].endswith(("\n", "\r")) else newline
    # The blank line below a heading is the document's, not the section's.
    if not whole and text.startswith(newline, start) and fitted and not fitted.startswith(newline):
        gap = newline
    more = newline if stop < len(text) else ""
    ending = "" if not fitted or fitted.endswith(newline * 2) else more if fitted.endswith(newline) else newline + more
    return text[:start] + gap + fitted + ending + text[stop:]


def _named(text: str, asked: str) -> tuple[Sequence[Section], int]:
    """Return the sections of *text* and which of them *asked* names: by its heading, or by the path of headings to it.

    Emphasis in a heading or in *asked* tells nothing apart. A line in bold is looked at where no heading has the name.
    """
    headings = sections(text)
    for found, form in ((headings, key), (headings, _plain), (with_bold_lines(text), _plain)):
        paths = _paths(found, form)
        wanted = [form(part.strip().lstrip("#").strip()) for part in asked.split(">")]
        matching = [at for at, path in enumerate(paths) if path[-len(wanted) :] == wanted]
        whole = [at for at in matching if paths[at] == wanted]
        if len(whole) == 1 or len(matching) == 1:
            return found, whole[0] if len(whole) == 1 else matching[0]
        if matching:
            listed = _listed(found, matching)
            raise ValidationError("section", f"'{asked[:80]}' names {len(matching)} sections", f"Give one: {listed}.")
    there = f"There are: {_listed(found, range(len(found)))}." if found else "The document has no headings."
    raise ValidationError("section", f"there is no section '{asked[:80]}'", there)


def _paths(found: Sequence[Section], form: Callable[[str], str]) -> list[list[str]]:
    """Return the titles that lead to each section, its own last, in that *form*."""
    paths: list[list[str]] = []
    open_: list[Section] = []
    for section in found:
        while open_ and open_[-1].level >= section.level:
            open_.pop()
        open_.append(section)
        paths.append([form(part.title) for part in open_])
    return paths


def _plain(title: str) -> str:
    return key(_MARKUP.sub("", title).strip().removesuffix(":"))


def _listed(found: Sequence[Section], some: Sequence[int]) -> str:
    return "; ".join(_shown_path(found, at) for at in some[:LISTED])


def _shown_path(found: Sequence[Section], at: int) -> str:
    level, parts = found[at].level, [found[at].title]
    for section in reversed(found[:at]):
        if section.level < level:
            parts.insert(0, section.title)
            level = section.level
    return " > ".join(" ".join(part.split())[:80] for part in parts)
