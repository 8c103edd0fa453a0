"""Reading a text of any form as its outline."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace

from autology.text.records import asciidoc, markdown, org, rst, wiki
from autology.text.records.outline import ASCIIDOC, MARKDOWN, ORG, RST, TEXT, WIKI, Outline

_READERS = {
    MARKDOWN: markdown.outline,
    RST: rst.outline,
    ASCIIDOC: asciidoc.outline,
    ORG: org.outline,
    WIKI: wiki.outline,
    TEXT: rst.outline,
}


_CRLF = re.compile(r"\r\n")


def read(text: str, form: str) -> Outline:
    """Return the outline of *text*; *form* is one of the values of `FORMS`. Any text has one."""
    if "\r\n" not in text:
        return _READERS[form](text)
    # Line ends are removed for reading, and every offset is moved to where it is in the text itself.
    ends = [match.start() - at for at, match in enumerate(_CRLF.finditer(text))]
    outline = _READERS[form](text.replace("\r\n", "\n"))

    def moved(at: int) -> int:
        return at + bisect_right(ends, at - 1) if at else 0

    fields = (replace(field, start=moved(field.start), stop=moved(field.stop)) for field in outline.fields)
    headings = (replace(head, start=moved(head.start), body=moved(head.body)) for head in outline.headings)
    return Outline(outline.form, tuple(fields), tuple(headings), len(text))
