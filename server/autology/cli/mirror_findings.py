"""What doctor reports of the mirror with other machines: the last place, and open conflicts."""

from __future__ import annotations

from autology.core.doctor import Diagnosis, Report
from autology.text.language.plural import counted
from autology.wire.mirror import mirror_status


def examine() -> Report:
    """Return what this machine knows of its mirrors, without a look at their places; nothing without a mirror."""
    status = mirror_status()
    if not status.targets:
        return Report()
    findings = []
    if status.conflicts:
        memories = counted(len(status.conflicts), "memory", "are")
        problem = f"{memories} in conflict with another machine's"
        step = "`autology mirror --status` lists them; end each with --keep or --take."
        findings.append(Diagnosis("mirror", problem, step))
    return Report((("mirror", f"last with {status.targets[0]}, as {status.machine}"),), tuple(findings))
