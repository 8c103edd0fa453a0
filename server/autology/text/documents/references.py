"""The links of reStructuredText, AsciiDoc and Org to other files, as written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autology.text.markdown import links
from autology.text.markdown.links import CITES, PATH, WIKI, Mention
from autology.text.records.outline import ASCIIDOC, ORG, RST
from autology.text.slug import TEXTS, without_fragment

_ROLE = re.compile(r":(?:[a-z]+:)?doc:`(?:[^`<>]{0,300}<(?P<target>[^`<>]{1,300})>|(?P<bare>[^`<>]{1,300}))`")
_TARGET = re.compile(
    r"`[^`<>]{0,300}<(?P<inline>[^`<>\s]{1,300})>`__?"
    r"|^\.\. _[^:\n]{1,200}:[ \t]+(?P<named>\S{1,300})[ \t]*$",
    re.MULTILINE,
)
_INCLUDE = re.compile(r"^[ \t]*\.\. include::[ \t]+(?P<target>\S+)", re.MULTILINE)
_TOCTREE = re.compile(
    r"^(?P<indent>[ \t]*)\.\. toctree::[^\n]*\n(?P<lines>(?:(?P=indent)[ \t]+[^\n]*\n|[ \t]*\n)*)", re.MULTILINE
)
_ENTRY = re.compile(
    r"^[ \t]+(?:[^\n<>:]{0,300}<(?P<target>[^<>\n]{1,300})>|(?P<bare>[^\s:<>*][^\n<>*]{0,300}?))[ \t]*$", re.MULTILINE
)
_MACRO = re.compile(
    r"\b(?:xref|link):(?P<target>[^\s\[\]]{1,300})\[|^include::(?P<included>[^\s\[\]{}]{1,300})\[", re.MULTILINE
)
_ANGLED = re.compile(r"<<(?P<target>[^<>,\n]{1,300}\.(?:adoc|asciidoc)[^<>,\n]{0,200})(?:,[^<>]{0,300})?>>")
_ORG_LINK = re.compile(
    r"\[\[(?:file:(?P<file>[^\[\]\n]{1,300})|id:(?P<id>[^\[\]\n]{1,100})|(?P<bare>\.{1,2}/[^\[\]\n]{1,300}))\]"
    r"(?:\[[^\[\]]{0,500}\])?\]"
)
_ORG_ID = re.compile(r"^[ \t]*:ID:[ \t]+(?P<id>\S{1,100})[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|mailto:|#")


def mentions(text: str, form: str) -> tuple[Mention, ...]:
    """Return the links of *text* in *form* to other documents, in order."""
    reader = {RST: _in_rst, ASCIIDOC: _in_asciidoc, ORG: _in_org}.get(form)
    if reader is None:
        return ()
    return tuple(sorted(reader(text), key=lambda mention: (mention.start, mention.stop)))


def org_ids(text: str) -> Iterator[str]:
    """Yield the ids by which links in Org lead to *text* or to a heading in it."""
    return (match["id"].lower() for match in _ORG_ID.finditer(text))


def _in_rst(text: str) -> Iterator[Mention]:
    for match in _ROLE.finditer(text):
        yield _to_page(match, "target" if match["target"] else "bare")
    for match in _TARGET.finditer(text):
        group = "inline" if match["inline"] else "named"
        if without_fragment(match[group]).lower().endswith(TEXTS):
            yield from _to_file(match, group)
    for match in _INCLUDE.finditer(text):
        if match["target"].lower().endswith(TEXTS):
            yield from _to_file(match, "target")
    for tree in _TOCTREE.finditer(text):
        for entry in _ENTRY.finditer(text, tree.start("lines"), tree.end("lines")):
            group = "target" if entry["target"] else "bare"
            if not _ELSEWHERE.match(entry[group]) and entry[group] != "self":
                yield _to_page(entry, group)


def _in_asciidoc(text: str) -> Iterator[Mention]:
    for match in (*_MACRO.finditer(text), *_ANGLED.finditer(text)):
        groups = match.groupdict()
        group = "target" if groups["target"] else "included"
        path = without_fragment(match[group])
        if not path.lower().endswith(TEXTS) or _ELSEWHERE.match(path) or "{" in path:
            continue
        if ":" in path:  # a page of another module of Antora: version@component:module:page
            module, _, page = path.rpartition(":")
            name = f"{module.rpartition(':')[2].rpartition('@')[2]}/pages/{page}"
            yield Mention(CITES, name, links.NOWHERE, links.NOWHERE, WIKI)
        else:
            yield from _to_file(match, group)


def _in_org(text: str) -> Iterator[Mention]:
    for match in _ORG_LINK.finditer(text):
        if match["id"]:
            yield Mention(CITES, match["id"].strip().lower(), *match.span("id"), WIKI)
        else:
            group = "file" if match["file"] else "bare"
            path = match[group].partition("::")[0]
            if path.lower().endswith(TEXTS) and not path.startswith(("/", "~")):
                start = match.start(group)
                yield Mention(CITES, path, start, start + len(path), PATH)


def _to_page(match: re.Match[str], group: str) -> Mention:
    """Return the link to a page, named without its extension; from the sources' top if it begins with a slash."""
    target = match[group].strip()
    if target.startswith("/"):
        return Mention(CITES, target.lstrip("/"), *match.span(group), WIKI)
    return Mention(CITES, target, *match.span(group), PATH)


def _to_file(match: re.Match[str], group: str) -> Iterator[Mention]:
    path = without_fragment(match[group])
    if path and not _ELSEWHERE.match(path):
        start = match.start(group)
        yield Mention(CITES, path, start, start + len(path), PATH)
