"""What doctor says of the upkeep of memories: whether what is over goes, and what is done is written down."""

from __future__ import annotations

from collections.abc import Sequence

from autology.core.doctor import Finding, Report
from autology.core.memory.memories import Memories
from autology.core.memory.oversight import Audit, Daily
from autology.core.memory.status import OK, RECENT, WARN, Check, audit_kept, lifetimes_kept
from autology.text.language.timestamps import stamp


def examine(memories: Memories, audit: Audit, daily: Daily, failures: Sequence[str]) -> Report:
    """Return how the upkeep is; *failures* are when a line of the audit could not be written, as the log tells."""
    since = stamp(memories.now() - RECENT)
    checks = [lifetimes_kept(memories, daily), _with_failures(audit_kept(audit, since), since, failures)]
    facts = tuple((check.name, check.message) for check in checks)
    findings = (Finding(check.name, check.message, check.step) for check in checks if check.status != OK)
    return Report(facts, tuple(findings))


def _with_failures(check: Check, since: str, failures: Sequence[str]) -> Check:
    """A process that ended before the disk had room again could say so in the log alone."""
    lately = [at for at in failures if at >= since]
    if check.status != OK or not lately:
        return check
    step = "Look for a full disk; what was stored is safe, only lines are missing. `autology doctor --log` tells more."
    return Check(check.name, WARN, f"lines could not be written, the last time on {max(lately)}", step)
