"""Doctor's reports on memories: their files and maintenance; each finding with its fix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autology.core.doctor import Diagnosis, Report, fault
from autology.core.memory.memories import USER, Memories
from autology.core.memory.ports import Audit, Daily
from autology.core.memory.status import OK, RECENT, WARN, Check, audit_kept, lifetimes_kept, stats
from autology.core.memory.strays import strays
from autology.model.memory import Kind
from autology.model.next_step import Action, Sentence, do
from autology.text.language.plural import counted
from autology.text.language.timestamps import stamp

_NEEDS = f"id:, kind: (one of {', '.join(Kind)})"


def examine(memories: Memories) -> Report:
    """Return the state of the memories of the project and its user."""
    behind = memories.changes()
    counts = stats(memories)
    facts = [f"{counts.project:,} in the project", f"{counts.user:,} of the user"]
    facts += [f"{counts.expired:,} expired"] if counts.expired else []
    facts += [f"{counts.trashed:,} in the trash"] if counts.trashed else []
    facts += [f"{counted(behind, 'file')} read just now"] if behind else []
    return Report((("memories", ", ".join(facts)),), tuple(_findings(memories)))


def examine_purge_and_audit(memories: Memories, audit: Audit, daily: Daily, failures: Sequence[str]) -> Report:
    """Return the state of the maintenance; *failures* are the times of failed audit writes, from the log."""
    since = stamp(memories.now() - RECENT)
    checks = [lifetimes_kept(memories, daily), _with_failures(audit_kept(audit, since), since, failures)]
    facts = tuple((check.name, check.message) for check in checks)
    findings = (Diagnosis(check.name, check.message, check.step) for check in checks if check.status != OK)
    return Report(facts, tuple(findings))


def _findings(memories: Memories) -> Iterator[Diagnosis]:
    for root in memories.roots:
        if root.fault is not None:
            where = root.prefix + root.fault.path
            yield Diagnosis("memory", f"{where}: {root.fault.reason}", "Make the folder readable for yourself.")
    for path, reason in memories.faults():
        yield fault(path, reason, "updated_at", _NEEDS, USER)
    for source in strays(memories):
        path = source.path.removeprefix(USER)
        problem = f"{source.path} is for the branch {source.branch} of no project, so no search finds it"
        step = f"Add a line `project: NAME` under `scope:` in {path} of the data folder, or delete the file."
        known = " does so where the audit tells the project."
        yield Diagnosis("memory", problem, Sentence(f"{step} ", do(Action.DOCTOR, fix=True), known))


def _with_failures(check: Check, since: str, failures: Sequence[str]) -> Check:
    """Add failures that only the log has: the process ended before the disk had room again."""
    lately = [at for at in failures if at >= since]
    if check.status != OK or not lately:
        return check
    cause = "Look for a full disk; what was stored is safe, only lines are missing. "
    step = Sentence(cause, do(Action.DOCTOR, log=True), " tells more.")
    return Check(check.name, WARN, f"lines could not be written, the last time on {max(lately)}", step)
