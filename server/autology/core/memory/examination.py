"""What is wrong with memories, each finding with its fix."""

from __future__ import annotations

from collections.abc import Iterator

from autology.core.doctor import Diagnosis, Report, fault
from autology.core.memory.memories import USER, Memories
from autology.core.memory.status import stats
from autology.core.memory.strays import strays
from autology.model.memory import Kind
from autology.model.next_step import Action, Sentence, do
from autology.text.language.plural import counted

_NEEDS = f"id:, kind: (one of {', '.join(Kind)})"


def examine(memories: Memories) -> Report:
    """Return how the memories of the project and its user are."""
    behind = memories.changes()
    found = stats(memories)
    told = [f"{found.project:,} in the project", f"{found.user:,} of the user"]
    told += [f"{found.expired:,} past their time"] if found.expired else []
    told += [f"{found.trashed:,} in the trash"] if found.trashed else []
    told += [f"{counted(behind, 'file')} read just now"] if behind else []
    return Report((("memories", ", ".join(told)),), tuple(_findings(memories)))


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
