"""Replacing a section of a document: the text under a heading, or under a bold line that serves as one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autology.model.errors import ValidationError
from autology.text.markdown.sections import BOLD, Section, extent, sections, with_bold_lines, with_parents
from autology.text.slug import key

LISTED = 20
BYTE_ORDER_MARK = "\ufeff"
"""Removed from a caller's text: the file keeps its own, or has none."""
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
    all_sections, at = _named(text, section)
    stop = extent(all_sections, at)
    # Content that begins with the section's heading replaces the heading, too.
    own = next(iter(sections(fitted) if all_sections[at].level < BOLD else with_bold_lines(fitted)), None)
    with_heading = own is not None and own.start == 0 and _plain(own.title) == _plain(all_sections[at].title)
    start = all_sections[at].start if with_heading else all_sections[at].body
    gap = "" if with_heading or text[:start].endswith(("\n", "\r")) else newline
    # The blank line below a heading is kept.
    if not with_heading and text.startswith(newline, start) and fitted and not fitted.startswith(newline):
        gap = newline
    more = newline if stop < len(text) else ""
    ending = "" if not fitted or fitted.endswith(newline * 2) else more if fitted.endswith(newline) else newline + more
    return text[:start] + gap + fitted + ending + text[stop:]


def _named(text: str, name: str) -> tuple[Sequence[Section], int]:
    """Return the sections of *text* and those called *name*: by heading, or by the path of headings.

    Emphasis is ignored. Bold lines count only if no heading has the name.
    """
    headings = sections(text)
    for all_sections, form in ((headings, key), (headings, _plain), (with_bold_lines(text), _plain)):
        paths = [[form(section.title) for section in path] for path in with_parents(all_sections)]
        wanted = [form(part.strip().lstrip("#").strip()) for part in name.split(">")]
        matching = [at for at, path in enumerate(paths) if path[-len(wanted) :] == wanted]
        exact = [at for at in matching if paths[at] == wanted]
        if len(exact) == 1 or len(matching) == 1:
            return all_sections, exact[0] if len(exact) == 1 else matching[0]
        if matching:
            listed = _listed(all_sections, matching)
            raise ValidationError("section", f"'{name[:80]}' names {len(matching)} sections", f"Give one: {listed}.")
    there = (
        f"There are: {_listed(all_sections, range(len(all_sections)))}."
        if all_sections
        else "The document has no headings."
    )
    raise ValidationError("section", f"there is no section '{name[:80]}'", there)


def _plain(title: str) -> str:
    return key(_MARKUP.sub("", title).strip().removesuffix(":"))


def _listed(all_sections: Sequence[Section], some: Sequence[int]) -> str:
    paths = with_parents(all_sections)
    return "; ".join(" > ".join(" ".join(section.title.split())[:80] for section in paths[at]) for at in some[:LISTED])
