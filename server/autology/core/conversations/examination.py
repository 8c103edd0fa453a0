"""Doctor's report on past sessions: how many are read, archived, lost, and what to do."""

from __future__ import annotations

from autology.core.conversations.conversations import Conversations
from autology.core.doctor import Finding, Report
from autology.text.counted import counted


def examine(conversations: Conversations) -> Report:
    """Return how complete the conversations are."""
    rules = conversations.rules
    if not rules.read and not rules.keep:
        return Report((("sessions", "neither read nor kept, as the settings say"),))
    found = conversations.coverage()
    facts = [("sessions", f"{found.live:,} with the client, {found.kept:,} kept, {found.lost:,} lost")]
    passages = counted(sum(found.chunks.values()), "passage")
    facts.append(("talk", f"{passages} to be found, {found.unencoded:,} of them by words only"))
    if found.size:
        facts.append(("archive", f"{found.size / 1e6:.1f} MB, {_kept_for(rules.days)}"))
    findings = []
    if found.unkept and rules.keep:
        problem = f"{counted(found.unkept, 'session', 'are')} not kept yet: the client deletes its own after a month"
        findings.append(Finding("sessions", problem, "Run `autology archive`; a server in use does it by itself, too."))
    if found.behind and rules.read:
        problem = f"{counted(found.behind, 'transcript', 'are')} not read to the end"
        findings.append(Finding("sessions", problem, "Run `autology sync`; a question does it by itself, too."))
    findings += [
        Finding("sessions", f"cannot be read: {problem}", "Make it readable; it is tried again each time.")
        for problem in conversations.failed
    ]
    return Report(tuple(facts), tuple(findings))


def _kept_for(days: int) -> str:
    return f"kept for {counted(days, 'day')}" if days else "kept for good"
