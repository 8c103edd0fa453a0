"""Drift: a reference of a note was removed or rewritten since it was written or last reviewed.

Moves, formatting and comment-only changes are ignored. Of a file that defines names which the note mentions, only these
definitions count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from autology.core.nodes.pins import pinned, pinned_contents
from autology.core.nodes.version_control import History, Pin, Versions
from autology.model.node import Node, NodeStatus, NodeType
from autology.text.source_code import rewritten_code

REMOVED, REWRITTEN, CHANGED = "removed", "rewritten", "changed"
"""What became of a reference. A file that merely changed may still match the note."""


@dataclass(frozen=True, slots=True)
class Drift:
    """A drifted reference: the file, the name in it ("": all of it), what became of it, and the commits."""

    path: str
    what: str
    how: str
    commits: tuple[str, ...] = ()

    @property
    def matters(self) -> bool:
        """Whether the note needs a review because of it."""
        return self.how != CHANGED

    @property
    def summary(self) -> str:
        """The drift in one line."""
        what = f"{self.what} of {self.path}" if self.what else self.path
        return f"{what} was {self.how}{': ' if self.commits else ''}{'; '.join(self.commits)}"


def may_drift(node: Node) -> bool:
    """Whether *node* describes the present: a session describes the past, and a superseded node need not match."""
    timeless = node.status is NodeStatus.SUPERSEDED or node.type is NodeType.SESSION
    return bool(node.references) and not timeless


def drifts(nodes: Iterable[Node], history: History) -> Mapping[str, tuple[Drift, ...]]:
    """Return the drifted references of each of *nodes*, by their ids."""
    current = [node for node in nodes if may_drift(node)]
    wanted = {node.id: _pins(node) for node in current}
    changed = history.versions(list(dict.fromkeys(pin for pins in wanted.values() for pin in pins)))
    result = {}
    for node in current:
        files = [changed[pin] for pin in wanted[node.id] if pin in changed]
        if files and (changes := tuple(_of(node, files, history))):
            result[node.id] = changes
    return result


def _pins(node: Node) -> list[Pin]:
    """What each reference of *node* is pinned to, nothing if it is undated; a record's node follows the record."""
    at, saw = pinned(node), pinned_contents(node)
    if not at:
        return []
    own = [path for path in dict.fromkeys(node.references) if path != node.extra.get("origin")]
    return [Pin(at, path, saw.get(path, "")) for path in own]


def _of(node: Node, files: list[Versions], history: History) -> Iterator[Drift]:
    names, reported = rewritten_code.names_in(node.content), set()
    for code in rewritten_code.snippets_in(node.content):
        holding = [file for file in files if rewritten_code.contains(file.before, code, file.path)]
        if holding and not any(rewritten_code.contains(file.after, code, file.now) for file in files):
            reported.add(holding[0].path)
            line = next(line.strip() for line in code.splitlines() if line.strip())
            yield Drift(holding[0].path, f"the code `{line[:60]}`", REWRITTEN, holding[0].commits)
    for file in files:
        mentioned = [name for name in names if rewritten_code.definition(file.before, name, file.path)]
        if mentioned:
            for name in mentioned:
                if how := _name_drift(name, file, history):
                    yield Drift(file.path, f"`{name}`", how, file.commits)
        elif file.path not in reported and (how := _of_file(file)):
            yield Drift(file.path, "", how, file.commits)


def _name_drift(name: str, file: Versions, history: History) -> str:
    """Return what became of the definitions of *name*, "" if they are unchanged, here or where they were moved."""
    before = rewritten_code.definition(file.before, name, file.path)
    now = rewritten_code.definition(file.after, name, file.now or file.path)
    if now == before:
        return ""
    elsewhere = [rewritten_code.definition(text, name, path) for path, text in history.holding(name).items()]
    if before in elsewhere:
        return ""
    return REWRITTEN if now or any(elsewhere) else REMOVED  # elsewhere: moved, and changed


def _of_file(file: Versions) -> str:
    if not file.now:
        return REMOVED
    if rewritten_code.says_the_same(file.before, file.after, file.now):
        return ""
    return CHANGED if rewritten_code.share_kept(file.before, file.after, file.now) >= rewritten_code.KEPT else REWRITTEN
