"""Doctor's report on past sessions: how many are read, archived, lost, and what to do."""

from __future__ import annotations

from autology.core.conversations.conversations import Conversations
from autology.core.doctor import Diagnosis, Report
from autology.model.next_step import Action, Sentence, do
from autology.text.language.plural import counted


def examine(conversations: Conversations) -> Report:
    """Return how complete the conversations are."""
    rules = conversations.rules
    if not rules.read and not rules.keep:
        return Report((("sessions", "neither read nor archived, by the settings"),))
    state = conversations.coverage()
    facts = [("sessions", f"{state.live:,} with the client, {state.archived:,} archived, {state.lost:,} lost")]
    passages = counted(sum(state.chunks.values()), "passage")
    facts.append(("talk", f"{passages} indexed, {state.unencoded:,} of them only lexically"))
    if state.size:
        facts.append(("archive", f"{state.size / 1e6:.1f} MB, {_kept_for(rules.days)}"))
    findings = []
    if state.unarchived and rules.keep:
        sessions = counted(state.unarchived, "session", "are")
        problem = f"{sessions} not archived yet: the client deletes them after a month"
        findings.append(
            Diagnosis("sessions", problem, Sentence("Run ", do(Action.ARCHIVE), "; a running server does so, too."))
        )
    if state.behind and rules.read:
        problem = f"{counted(state.behind, 'transcript', 'are')} not fully read"
        step = Sentence("Run ", do(Action.SYNC), "; searches do so, too.")
        findings.append(Diagnosis("sessions", problem, step))
    findings += [
        Diagnosis("sessions", f"cannot be read: {problem}", "Make it readable; it is retried each time.")
        for problem in conversations.failed
    ]
    facts += [("unreadable", sessions) for sessions in state.unreadable]
    return Report(tuple(facts), tuple(findings))


def _kept_for(days: int) -> str:
    return f"kept for {counted(days, 'day')}" if days else "kept indefinitely"
