"""Splitting a decision's text into Context, Decision, Alternatives, Consequences, and the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping

from autology.text.adr.sections import PARTS, parts_named
from autology.text.markdown.blocks import HEADING_LINE, heading_title, without_blocks

OTHER = ""
"""The text in none of the parts: what precedes them, status, links."""
CONTEXT, DECISION, ALTERNATIVES, CONSEQUENCES = PARTS
_WEIGHT = (ALTERNATIVES, DECISION, CONSEQUENCES, CONTEXT)
"""The part that a heading with several names opens."""
_LABEL = re.compile(
    r"[ \t>]*(?:[-*+][ \t]+)?(?:\*\*|__)?(?P<label>[A-Za-z][A-Za-z ]{2,40}?)(?::(?:\*\*|__)?|(?:\*\*|__):?)"
)


def parts(content: str) -> Mapping[str, str]:
    """Return the text of each part, headings left out, those of alternatives as items; by `PARTS` and `OTHER`.

    A text without parts is all decision.
    """
    texts: dict[str, list[str]] = {part: [] for part in (*PARTS, OTHER)}
    part, level, divided, labelled = OTHER, 0, False, False
    for line, prose in zip(content.split("\n"), without_blocks(content).split("\n"), strict=True):
        if heading := HEADING_LINE.match(prose):
            depth, title = len(heading["hashes"]), heading_title(heading["title"])
            named = _named(title, is_title=False)
            if named:
                part, level, divided = named, depth, True
            elif depth <= level or labelled:
                part, level = OTHER, depth
            else:
                texts[part].append(f"- {title}")
            labelled = False
            continue
        if label := _LABEL.match(prose):
            named = _named(label["label"], is_title="*" not in label[0])
            if named:
                part, level, divided, labelled = named, 0, True, True
                # `Chosen option: "x"` is a label and the first words of the decision.
                texts[part].append(line if part == DECISION else line[label.end() :])
                continue
        if labelled and not line.strip():
            part, labelled = OTHER, False
        texts[part].append(line)
    if not divided:
        return {**dict.fromkeys((*PARTS, OTHER), ""), DECISION: content}
    return {name: "\n".join(lines) for name, lines in texts.items()}


def _named(title: str, *, is_title: bool) -> str:
    named = parts_named(title, is_title=is_title)
    return next((part for part in _WEIGHT if part in named), "")
