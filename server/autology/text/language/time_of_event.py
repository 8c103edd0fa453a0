"""Whether a time in a question says when something was said or done in a session, or when what it asks about happened.

"What did we decide last week" asks for last week's sessions. "Yesterday's release broke the export, how did we fix
that" asks for any session: the time belongs to the event.
"""

from __future__ import annotations

from autology.text import Patterns

_patterns = Patterns()


def is_of_event(question: str, start: int, stop: int) -> bool:
    """Whether the time at *start* to *stop* of *question* is that of the event asked about."""
    following = _patterns[_WORD].match(question, stop)
    if _patterns[_POSSESSIVE].search(question[start:stop]):
        return not (following and _patterns[_SESSION].fullmatch(following[1]))
    of = _patterns[_NOUN_OF].search(question[:start] + question[start:stop])
    if of and of.end() > start and not _patterns[_SESSION].search(of[1]):
        return True
    clause, others = _clause(question, start, stop)
    if _ours(clause):
        return False
    if not _patterns[_WORD].search(clause):
        return not _ours(others) and _patterns[_VERB].search(others) is not None
    if _patterns[_SINCE].match(question, start):
        return True
    return _patterns[_VERB].search(clause) is not None or _patterns[_WORD].search(others) is not None


def is_asked_about(question: str, start: int, stop: int) -> bool:
    """Whether *question* asks what happened at the event's time at *start* to *stop*: it says nothing besides.

    "What did Ada present on 3 May" does; "the login broke on 3 May, how did we fix that before" asks of another time.
    """
    return not _patterns[_WORD].search(_clause(question, start, stop)[1])


def _ours(clause: str) -> bool:
    return _patterns[_WE].search(clause) is not None or _patterns[_SESSION].search(clause) is not None


def _clause(question: str, start: int, stop: int) -> tuple[str, str]:
    """Return the clause around the time at *start* to *stop*, without the time, and the other clauses."""
    first = max((match.end() for match in _patterns[_BOUNDARY].finditer(question, 0, start)), default=0)
    end = _patterns[_BOUNDARY].search(question, stop)
    last = end.start() if end else len(question)
    return f"{question[first:start]} {question[stop:last]}", f"{question[:first]} {question[last:]}"


_WORD = r"\s*(\w[\w-]*)"
_POSSESSIVE = r"['’]s\Z"
_BOUNDARY = (
    r"(?i)[,;:?!\n\x00]|\.(?=\s|\Z)|\s[-–—]\s|(?<=\s)(?:that|which|who|when|where|because|while|if|but|how|why)(?=\s)"
)
# The noun that a time belongs to: "the upload of this morning"; `of` may be part of the time's words.
_NOUN_OF = r"(?i)(\w+)\s+of\s+(?:the\s+)?\S"
_SINCE = r"(?i)(?:since|after|before|until|till)\b"
_WE = r"(?i)\b(?:we|you|did i|i (?:did|do|was|worked|wrote|made|had))\b"
_SESSION = (
    r"(?i)\b(?:discuss\w*|decid\w*|decisions?|talk\w*|agree\w*|said|say|told|asked|mention\w*|suggest\w*|propos\w*"
    r"|conclu\w*|conversations?|sessions?|chats?|meetings?|notes?|memor\w*|recap|standup|work(?:ed|ing)? on|past)\b"
)
_VERB = (
    r"(?i)\b(?:is|are|was|were|be|been|has|have|had|do|does|did|will|can|could|get|gets|got|goes|went|go|gone|came|comes"
    r"|takes?|took|fails?|breaks?|broke|crash(?:es)?|shows?|says?|dies|gives?|gave|runs?|ran|blocks?|lost|hit|stops?"
    r"|throws?|threw|returns?|sends?|sent|put|made|makes?|answers?|looks?|begins?|began|\w{3,}ed)\b"
)
