"""Three forms of tasks: an error to be fixed, something to be built, and how something is done.

A request and past work each have one: they are told apart by their wording and by what the work left behind.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from autology.ranking.prompt_similarity import ERROR, FEATURE, HOW_TO
from autology.text.user_words import errors

_TROUBLE = re.compile(
    r"\b(?:fail\w*|crash\w*|dies?|died|errors?|exceptions?|refus\w*|won'?t|can'?t|cannot|could ?n[o']t|does ?n[o']t"
    r"|doesn'?t|never|wrong\w*|br[eo]a?ken?s?|kill\w*|missing|slow|forever|lost|loses?|lacks?|stuck|hangs?|rejects?|denied"
    r"|panic\w*|abort\w*|throws?|thrown|complain\w*|duplicates?|leak\w*|timeout|times? out|timed out|twice|blank"
    r"|garbled|flak\w+|stops?|stopped|conflict\w*|invalid|unexpected\w*|differs?|off by|out of memory|oom|deadlock\w*"
    r"|corrupt\w*|unreadable|evicted|no longer|instead of)\b",
    re.IGNORECASE,
)
_HOW = re.compile(
    r"^(?:how\b|what(?:'s|s| is| are| has| must| do| needs?)\b.*\b(?:steps?|way|procedure|do|done)\b)"
    r"|\b(?:steps|procedure|instructions|guide|walk me|walkthrough|checklist|runbook|list what"
    r"|what (?:has|must|needs?) (?:to )?be|how (?:do|can|to|should|could)|what do (?:i|we) (?:do|need))\b",
    re.IGNORECASE,
)
_STEPS = re.compile(r"(?<!\w)1[.)] .*(?<!\w)2[.)] ", re.DOTALL)


@dataclass(frozen=True, slots=True)
class PastWork:
    """A past conversation: what its user *asks*, the whole *talk*, its *tools'* output, the *code* that was written.

    *edits* says that some of the code went into a file, *own* that it was in the project at hand.
    """

    asks: str
    talk: str
    tools: str = ""
    code: str = ""
    edits: bool = False
    own: bool = True


def form_of(request: str) -> str:
    """Return the form of *request*: ERROR, HOW_TO or FEATURE."""
    if errors(request):
        return ERROR
    if _HOW.search(request):
        return HOW_TO
    return ERROR if _TROUBLE.search(request) else FEATURE


def has_form(work: PastWork, form: str) -> bool:
    """Whether *work* may be of a *form*; it may be of several."""
    explains = bool(_HOW.search(work.asks) or _STEPS.search(work.talk)) or (
        bool(work.tools) and "`" in work.talk and not work.edits
    )
    if form == HOW_TO:
        return explains
    troubled = bool(_TROUBLE.search(work.asks) or errors(work.asks) or errors(work.tools))
    return troubled if form == ERROR else work.edits and not troubled and not explains
