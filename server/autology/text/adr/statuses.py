"""A decision's status, from the words that a record uses for it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from autology.model.node import DecisionStatus
from autology.text.adr.dates import DATE, find_date
from autology.text.adr.plain import plain


def _words() -> Iterator[tuple[DecisionStatus, str]]:
    """Yield each status in statuses.txt, and the pattern of its words."""
    with open(os.path.join(os.path.dirname(__file__), "statuses.txt"), encoding="utf-8") as file:
        sections = file.read().split("\n[")[1:]
    for section in sections:
        name, *lines = section.splitlines()
        yield DecisionStatus(name.removesuffix("]")), "|".join(lines)


# The longest form first if two begin at one place: "not accepted", "obsoleted" before "obsolete".
_STATUS = re.compile(
    rf"(?<![\w-])(?:{'|'.join(f'(?P<{status}>{words})' for status, words in reversed(list(_words())))})(?!\w)",
    re.IGNORECASE,
)
# Only a part of it, or not yet: it is still in force.
_STILL_STANDS = re.compile(
    r"(?:partial(?:ly)?|partly|in part|not|never|(?:will|to|may|might|would|could|should) be|soon)"
    r"\W+(?:\w+\W+)?\Z",
    re.IGNORECASE,
)
_PARTLY_AFTER = re.compile(r"\W*(?:in part|partially|partly)\b", re.IGNORECASE)
_OF_ANOTHER = re.compile(r"\W+by\W+this\b", re.IGNORECASE)
_STRUCK = re.compile(r"~~[^~\n]{1,300}~~|<(?:s|del)>[^<\n]{1,300}</(?:s|del)>")
_UNCHECKED = re.compile(r"[-*+][ \t]+\[ \]")
_ITEM = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?:\[[xX]\][ \t]*)?")
_ARROW = re.compile(r"→|⇒|-+>|=+>")
_NOTHING = re.compile(r"[\W_]*(?:status|todo: .*|n/?a|none|unknown)?[\W_]*\Z", re.IGNORECASE)
_SLUG = re.compile(r"(?!non[-_])\w+(?:[-_]\w+)+\Z", re.IGNORECASE)
"""A status written as one word: ``ready-for-release``, ``in_review``."""
_LABEL = re.compile(r"(?:current[ \t]+)?status[ \t]*[:=][ \t]*", re.IGNORECASE)
REACH = 60
"""Characters from the beginning of a line in which a status is searched; reasons follow."""
EXPLAINED = 4
"""Lines with statuses, none of them dated, of a section that explains what the different ones mean."""
CHOICES = 3
"""Different statuses in one line from which it is a template's list of choices."""
LONGEST_STATED = 200
LONGEST_SECTION = 10_000
"""Characters read of a Status section; the longest of the 120 real ones of the trials has 386."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A record's own status: its *words*, their meaning, and since when."""

    words: str
    status: DecisionStatus | None
    day: str | None


def standing(statements: Iterable[str]) -> Standing | None:
    """Return the decision's status by its *statements*, the most authoritative first.

    Being superseded outweighs everything, as it comes last and is often only added. Else the latest dated statement
    counts if there are several (a history), else the first meaningful one. None without a statement, or with only a
    template's list of choices.
    """
    read = [statement for line in statements if (statement := _read(line))]
    meaningful = [statement for statement in read if statement.status]
    several = len({statement.status for statement in meaningful}) >= CHOICES
    if len(meaningful) >= EXPLAINED and several and not any(statement.day for statement in meaningful):
        return None
    if not meaningful:
        return read[0] if read else None
    superseded = next((statement for statement in meaningful if statement.status is DecisionStatus.SUPERSEDED), None)
    if superseded:
        return superseded
    if len(meaningful) > 1 and all(statement.day for statement in meaningful):
        return max(meaningful, key=lambda statement: statement.day or "")
    return meaningful[0]


def lines(section: str) -> Iterator[str]:
    """Yield the lines of a Status section that can state one: without blank lines and unticked boxes."""
    for line in section[:LONGEST_SECTION].splitlines():
        item = line.strip()
        if item and not _UNCHECKED.match(item):
            yield item[:1000]


def meanings(text: str) -> Iterator[DecisionStatus]:
    """Yield each status that the words of *text* name."""
    return (status for status, _ in _meanings(text))


def _read(line: str) -> Standing | None:
    text = _LABEL.sub("", plain(_ITEM.sub("", _STRUCK.sub("", line), count=1), LONGEST_STATED), count=1)
    text = _ARROW.split(text)[-1].strip(" |\"'")
    if _NOTHING.match(text) or text.startswith("{"):
        return None
    meanings = list(_meanings(re.sub("[-_]", " ", text) if _SLUG.match(text) else text))
    if len({status for status, _ in meanings}) >= CHOICES and not find_date(text):
        return None
    early = [status for status, at in meanings if at <= REACH]
    status = DecisionStatus.SUPERSEDED if DecisionStatus.SUPERSEDED in early else next(iter(early), None)
    return Standing(text, status, find_date(text))


def _meanings(text: str) -> Iterator[tuple[DecisionStatus, int]]:
    """Yield each status in *text* with its position, not counting dates as distance."""
    undated = re.sub(DATE, "", text, flags=re.IGNORECASE)
    for match in _STATUS.finditer(undated):
        status = DecisionStatus(match.lastgroup or "")
        if status is DecisionStatus.SUPERSEDED and _stands(undated, match):
            continue
        yield status, match.start()


def _stands(text: str, match: re.Match[str]) -> bool:
    """Whether the supersession in *match* leaves the decision in force: in part, in future, or another record's."""
    before, after = (
        text[max(0, match.start() - REACH) : match.start()],
        text[match.end() : match.end() + REACH],
    )
    return bool(_STILL_STANDS.search(before) or _PARTLY_AFTER.match(after) or _OF_ANOTHER.match(after))
