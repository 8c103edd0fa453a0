"""Updating the status that a decision's text states, if that is a single word; and whether it may state one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autology.model.node import DecisionStatus
from autology.text.adr.sections import section_name
from autology.text.markdown.blocks import LINE_END, LINE_START
from autology.text.markdown.sections import ParsedText

_STATES = "|".join((*DecisionStatus, "draft", "approved", "declined", "pending"))
_HEADING = re.compile(r"(?:decision )?(?:status|state)\Z")
_WORD = re.compile(rf"{LINE_START}[ \t>*_+-]*(?P<word>{_STATES})[ \t*_.]*{LINE_END}", re.IGNORECASE)
_LABELLED = re.compile(
    rf"{LINE_START}[ \t>*_|+-]*(?:decision )?(?:status|state)[ \t*_]*[:|][ \t*_]*"
    rf"(?P<word>{_STATES})[ \t*_.|]*{LINE_END}",
    re.IGNORECASE,
)

_MAY_STATE = re.compile(
    r"stat(?:us|e)|^\W*(?:proposed|accepted|approved|rejected|declined|deprecated|super[sc]e)",
    re.IGNORECASE | re.MULTILINE,
)


def may_state_status(text: str) -> bool:
    """Whether *text* may state a status: most texts do not, and need not be parsed for it."""
    return bool(_MAY_STATE.search(text))


def restated(text: str, status: DecisionStatus) -> str:
    """Return *text* with *status* replacing the one in its Status section or a ``Status:`` line.

    A statement of more than one word (a date, a name, a history) is the author's, and stays.
    """
    page = ParsedText.of(text)
    for start, stop, form in _stating_spans(page):
        match = form.search(page.prose, start, stop)
        if match and match["word"].lower() != status:
            word = status.value.capitalize() if match["word"][0].isupper() else status.value
            return text[: match.start("word")] + word + text[match.end("word") :]
    return text


def _stating_spans(page: ParsedText) -> Iterator[tuple[int, int, re.Pattern[str]]]:
    """Yield where a status may be stated: the lines before the first section, and each Status section."""
    first = next((section.start for section in page.sections if section.level > 1), len(page.prose))
    yield 0, first, _LABELLED
    for section in page.sections:
        if _HEADING.match(section_name(section.title)):
            yield section.body, section.stop, _WORD
