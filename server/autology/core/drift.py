"""Drift: what a note refers to was removed or rewritten since it was written or last reviewed.

What was moved, put into another form or commented otherwise is as it was. Of a file that holds names which the note
speaks of, these alone count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from autology.core.pins import pinned, seen
from autology.core.ports import History, Pin, Versions
from autology.model.node import Node, NodeStatus, NodeType
from autology.text.source_code import drift

REMOVED, REWRITTEN, CHANGED = "removed", "rewritten", "changed"
"""What became of a reference. A file that was only changed may be as the note has it."""


@dataclass(frozen=True, slots=True)
class Drift:
    """A reference that is not as it was: the file, what of it ("": all of it), what became of it, and the commits."""

    path: str
    what: str
    how: str
    commits: tuple[str, ...] = ()

    @property
    def matters(self) -> bool:
        """Whether the note needs a review for it."""
        return self.how != CHANGED

    @property
    def told(self) -> str:
        """It in a line."""
        what = f"{self.what} of {self.path}" if self.what else self.path
        return f"{what} was {self.how}{': ' if self.commits else ''}{'; '.join(self.commits)}"


def may_drift(node: Node) -> bool:
    """Whether *node* is to be true of files: a session was once, and what is superseded need not be."""
    timeless = node.status is NodeStatus.SUPERSEDED or node.type is NodeType.SESSION
    return bool(node.references) and not timeless


def drifts(nodes: Iterable[Node], history: History) -> Mapping[str, tuple[Drift, ...]]:
    """Return what drifted of what each of *nodes* refers to, by their ids."""
    current = [node for node in nodes if may_drift(node)]
    asked = {node.id: _pins(node) for node in current}
    changed = history.versions(list(dict.fromkeys(pin for pins in asked.values() for pin in pins)))
    found = {}
    for node in current:
        files = [changed[pin] for pin in asked[node.id] if pin in changed]
        if files and (told := tuple(_of(node, files, history))):
            found[node.id] = told
    return found


def _pins(node: Node) -> list[Pin]:
    """What each reference of *node* is pinned to; the record that it was made of says what it says."""
    at, saw = pinned(node), seen(node)
    own = [path for path in dict.fromkeys(node.references) if path != node.extra.get("origin")]
    return [Pin(at, path, saw.get(path, "")) for path in own]


def _of(node: Node, files: list[Versions], history: History) -> Iterator[Drift]:
    names, told = drift.names_in(node.content), set()
    for code in drift.snippets_in(node.content):
        held = [file for file in files if drift.holds(file.before, code, file.path)]
        if held and not any(drift.holds(file.after, code, file.now) for file in files):
            told.add(held[0].path)
            line = next(line.strip() for line in code.splitlines() if line.strip())
            yield Drift(held[0].path, f"the code `{line[:60]}`", REWRITTEN, held[0].commits)
    for file in files:
        spoken = [name for name in names if drift.definition(file.before, name, file.path)]
        if spoken:
            for name in spoken:
                if how := _of_name(name, file, history):
                    yield Drift(file.path, f"`{name}`", how, file.commits)
        elif file.path not in told and (how := _of_file(file)):
            yield Drift(file.path, "", how, file.commits)


def _of_name(name: str, file: Versions, history: History) -> str:
    """Return what became of what defines *name*, "" where it is as it was, here or wherever it was moved."""
    before = drift.definition(file.before, name, file.path)
    now = drift.definition(file.after, name, file.now or file.path)
    if now == before:
        return ""
    elsewhere = [drift.definition(text, name, path) for path, text in history.holding(name).items()]
    if before in elsewhere:
        return ""
    return REWRITTEN if now or any(elsewhere) else REMOVED  # elsewhere: moved, and changed


def _of_file(file: Versions) -> str:
    if not file.now:
        return REMOVED
    if drift.says_the_same(file.before, file.after, file.now):
        return ""
    return CHANGED if drift.share_kept(file.before, file.after, file.now) >= drift.KEPT else REWRITTEN
