"""What past sessions settled and no note says, as it was last mined: offered once, at the start of a session."""

from __future__ import annotations

import os
import time

from autology import places
from autology.hook_events import suggestions_on
from autology.hooks import session_state
from autology.hooks.messages import SHORT_ID, capped, quoted
from autology.text.sanitising import clean_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.hooks.project import HookProject
    from autology.hooks.session_state import Note

OFFERED = 3
"""Candidates offered at a start, the newest: a user reads that many, and answers with a word."""
DAYS = session_state.RETENTION_DAYS
"""Days after which a candidate is not offered any more: what was offered is remembered as long."""
QUOTE = 100
_READ = 50_000
"""Bytes read of the file: it has 50 lines of some 400."""
_KIND = "settled"
_NAMES = {"settled": "choice", "rule": "rule", "fix": "fix"}


class Offer:
    """The *candidates* that a session's start offers; *left* wait beside them."""

    __slots__ = ("candidates", "left")
    ask = (
        "Ask the user once, when it fits, whether to keep what past sessions settled; with a yes, autology_capture each"
        " with its quote, date and session."
    )

    def __init__(self, candidates: list[Note], left: int) -> None:
        self.candidates, self.left = candidates, left

    @property
    def message(self) -> str:
        """The message for the user."""
        quotes = "; ".join(f"“{quoted(one['quote'], QUOTE)}”" for one in self.candidates)
        them = "it" if len(self.candidates) == 1 else "them"
        more = f" {self.left:,} more: `autology review --mined`." if self.left else ""
        return f"Autology: settled in past sessions, in no note: {quotes}. Say “keep {them}” to capture {them}.{more}"

    def lines(self, size: int) -> list[str]:
        """Return at most *size* of them as lines for the model."""
        shown = capped([_line(one) for one in self.candidates], size, len(self.candidates) + self.left)
        return ["settled in past sessions, in no note yet:", *(f"  {line}" for line in shown)]


def offer(project: HookProject) -> Offer | None:
    """Return what to offer in a new session: what was not offered before, once a day at most; None if nothing."""
    if not suggestions_on():
        return None
    oldest = session_state.utc_stamp(time.time() - DAYS * 86_400)
    waiting = [one for one in _waiting(project.root) if str(one["at"]) > oldest]
    fresh = [one for one in waiting if not session_state.known(project, _KIND, str(one["id"]))]
    if not fresh or not session_state.first(project, _KIND, time.strftime("%Y-%m-%d", time.gmtime())):
        return None
    claimed = [one for one in fresh[:OFFERED] if session_state.first(project, _KIND, str(one["id"]))]
    return Offer(claimed, len(fresh) - len(claimed)) if claimed else None


def _waiting(root: str) -> list[Note]:
    path = places.offered_candidates(root)
    if os.path.islink(path):
        return []
    try:
        with open(path, "rb") as file:
            lines = file.read(_READ).splitlines()
    except OSError:
        return []
    notes = map(session_state.read_object, lines)
    return [note for note in notes if all(isinstance(note.get(key), str) for key in ("id", "quote", "at", "session"))]


def _line(candidate: Note) -> str:
    kind = _NAMES.get(str(candidate.get("kind")), "choice")
    source = f"{str(candidate['at'])[:10]}, session {str(candidate['session'])[:SHORT_ID]}"
    return f'{kind} "{quoted(candidate["quote"], QUOTE)}" ({clean_line(source, 40)})'
