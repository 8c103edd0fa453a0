"""Memories of several machines: local changes become versions, versions of others become local files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from autology.mirror import names
from autology.mirror.local_memories import LocalMemories, LocalMemory
from autology.mirror.machine_log import decoded, encoded
from autology.mirror.merging import Settled, conflict_text, settle
from autology.mirror.state import MirrorState
from autology.mirror.versions import History, Version, version
from autology.model.errors import UnreadableNodeError, ValidationError
from autology.text.notes.memory_file import read_memory
from autology.text.notes.three_way_merge import merge_text
from autology.text.redaction import redact

FEWEST = 2
"""Memories from which all of them missing, with none in the trash, is a loss and not so many deletions."""

AT_ONCE = 200
"""New memories in one commit: 10,000 on a disk take seconds instead of minutes."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A memory that was changed here and elsewhere in ways that contradict: *file* shows both texts."""

    memory: str
    machines: tuple[str, ...]
    file: str


@dataclass(slots=True)
class MemoryChanges:
    """What was done with memories, by id: changed and deleted here, received, removed, merged, restored."""

    changed: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    received: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class MemoryExchange:
    """One run: :meth:`take_local` and :meth:`settle` extend the *history*, :meth:`apply` changes local files."""

    def __init__(self, state: MirrorState, history: History, local: LocalMemories) -> None:
        self._state = state
        self._history = history
        self._local = local
        self._files: dict[str, LocalMemory] = {}
        self._settled: dict[str, Settled] = {}
        self.done = MemoryChanges()

    # ---- what changed here -------------------------------------------------------------------------

    def take_local(self) -> None:
        """Add what changed here since the last run to the history. Raises StorageError."""
        self._files = self._local.read()
        self.done.notes += [f"not mirrored: {reason}" for reason in self._local.unreadable]
        for memory, file in self._files.items():
            self._take(memory, redact(file.text)[0])
        missing = self._missing()
        if self._is_loss(missing):
            self.done.notes.append(f"all {len(missing)} memories were missing here, and were not deleted: restored")
            for memory in missing:
                del self._state.base[memory]
            return
        for memory in missing:
            self._take_deletion(memory)
        # A project's folder that is away deletes nothing.
        self._state.places |= {memory: file.place for memory, file in self._files.items()}

    def _take(self, memory: str, text: str) -> None:
        base = self._state.base
        known = self._history.get(base.get(memory))
        if known is not None and known.text == text:
            return
        heads = [] if memory in self._state.conflicts else self._history.heads(memory)
        # Without a base, as after a loss of the state, any known text tells on what the file is based.
        candidates = heads if known is not None else [*heads, *reversed(self._history.of(memory))]
        same = next((one for one in candidates if one.text == text), None)
        if same is not None:
            base[memory] = same.name
        else:
            self._add(memory, [known.name] if known else [], text)

    def _add(self, memory: str, parents: Sequence[str], text: str | None) -> None:
        one = version(memory, parents, text, self._state.machine)
        data = b"".join(encoded([one]))
        if decoded(data)[0] != [one]:
            self.done.notes.append(f"not mirrored: {memory} cannot be read without its secrets")
            return
        self._history.add(one)
        self._state.base[memory] = one.name
        (self.done.deleted if text is None else self.done.changed).append(memory)

    def _missing(self) -> list[str]:
        """Return the memories that had a file here, which is gone though its folder was read."""
        if self._local.unreadable:  # one of them may be any memory's
            return []
        missing = []
        for memory, name in self._state.base.items():
            known = self._history.get(name)
            if memory in self._files or known is None or known.text is None:
                continue
            if not self._local.is_read(self._state.places.get(memory, "")) or self._has_expired(known.text):
                continue  # each machine purges by its own clock
            missing.append(memory)
        return missing

    def _has_expired(self, text: str) -> bool:
        try:
            return read_memory(text).expired(self._local.now())
        except UnreadableNodeError:
            return False

    def _is_loss(self, missing: Sequence[str]) -> bool:
        if len(missing) < FEWEST or any(not self._state.places.get(memory) for memory in self._files):
            return False
        return not self._local.trashed() & set(missing)

    def _take_deletion(self, memory: str) -> None:
        heads = self._history.heads(memory)
        gone = next((head for head in heads if head.text is None), None)
        if gone is not None:
            self._state.base[memory] = gone.name
        else:
            self._add(memory, [self._state.base[memory]], None)

    # ---- decisions ---------------------------------------------------------------------------------

    def decide(self, beginning: str, takes_other: bool) -> None:
        """End the conflict about the memory whose id begins so: with the local text, or with the other machine's.

        Raises:
            ValidationError: there is no such conflict, or several others contradict.
        """
        state = self._state
        fits = [memory for memory in state.conflicts if memory.startswith(beginning)]
        memory = beginning if beginning in fits else fits[0] if len(fits) == 1 and beginning else ""
        if not memory:
            step = f"In conflict: {', '.join(sorted(state.conflicts)[:5]) or 'none'}."
            raise ValidationError("conflict", f"'{beginning[:60]}' names no memory in conflict", step)
        base = state.base.get(memory, "")
        # What another machine wrote since the conflict was shown was not seen, and is not decided on.
        shown = [one for name in state.conflicts[memory] if (one := self._history.get(name))]
        own = self._history.ancestors_of(base)
        others = [one for one in shown if one.name not in own and base not in self._history.ancestors(one)]
        mine = self._history.get(base)
        if takes_other and len(others) != 1:
            step = f"Edit the memory with the help of {state.conflict_file(memory)}, then keep it."
            raise ValidationError("conflict", f"{memory} has {len(others)} other texts", step)
        chosen = others[0] if takes_other else mine
        if chosen is None:
            return
        self._history.add(version(memory, [base, *(one.name for one in others)], chosen.text, state.machine))
        self.done.changed.append(memory)

    # ---- what others changed -----------------------------------------------------------------------

    def settle(self) -> None:
        """Merge the versions of each memory as far as they do not contradict."""
        for memory in self._history.memories():
            settled = self._settled[memory] = settle(self._history, memory, self._state.machine)
            if settled.merged and not settled.restored:
                self.done.merged.append(memory)

    def apply(self, dry: bool = False) -> None:
        """Write what others changed into local files. Raises StorageError; whatever was written stays."""
        if not dry:
            self._create_new()
        for memory, settled in self._settled.items():
            if len(settled.heads) > 1:
                self._show_conflict(memory, settled.heads, dry)
                continue
            if memory in self._state.conflicts and not dry:
                self._state.close_conflict(memory)
            if self._write(memory, settled.heads[0], dry) and settled.restored:
                self.done.restored.append(memory)

    def _create_new(self) -> None:
        """Write memories that are new here, many in one commit: each alone takes several syncs to disk."""
        new = [
            (memory, settled.heads[0], settled.heads[0].text)
            for memory, settled in self._settled.items()
            if len(settled.heads) == 1 and memory not in self._files and memory not in self._state.base
        ]
        texts = [(memory, head, text) for memory, head, text in new if text is not None and not self._is_carried(head)]
        for at in range(0, len(texts), AT_ONCE):
            some = texts[at : at + AT_ONCE]
            if self._local.create([text for _, _, text in some]):
                self._state.base |= {memory: head.name for memory, head, _ in some}
                self.done.received += [memory for memory, _, _ in some]

    def _is_carried(self, head: Version) -> bool:
        """Whether version control brings the memory to a project here; it is left to that then."""
        root = self._local.carrier(read_memory(head.text).path) if head.text is not None else ""
        if root:
            self._state.base[head.memory], self._state.places[head.memory] = head.name, root
        return bool(root)

    def _write(self, memory: str, head: Version, dry: bool) -> bool:
        """Bring the local file to the version *head*; return whether it was changed."""
        base, file = self._state.base, self._files.get(memory)
        if base.get(memory) == head.name or (file is None and not dry and self._is_carried(head)):
            return False
        known = self._history.get(base.get(memory))
        if head.text is None:
            written = file is not None
            done = file is None or dry or self._local.remove(file)
            if written and done:
                self.done.removed.append(memory)
        elif file is not None and redact(file.text)[0] == head.text:
            written, done = False, True
        else:
            text, keeps_old = _with_local_secrets(known, file, head.text)
            written = done = dry or self._local.write(file, text, keeps_old)
            if done:
                self.done.received.append(memory)
        if not done:
            self.done.notes.append(f"{memory} cannot be written, or was changed meanwhile: the next run looks again")
            return False
        if not dry:
            base[memory] = head.name
        return written

    def _show_conflict(self, memory: str, heads: Sequence[Version], dry: bool) -> None:
        state = self._state
        base = state.base.get(memory, "")
        mine = next((head for head in heads if head.name == base), None)
        if mine is None:
            mine = next((head for head in heads if base in self._history.ancestors(head)), heads[0])
            self._write(memory, mine, dry)
        others = [head for head in heads if head is not mine]
        is_shown = os.path.exists(state.conflict_file(memory))
        if not dry and not (is_shown and state.conflicts.get(memory) == sorted(head.name for head in heads)):
            text = self._conflict_text(mine, others)
            state.open_conflict(memory, [head.name for head in heads], text)
        machines = tuple(dict.fromkeys(names.label_of(head.machine) for head in others))
        self.done.conflicts.append(Conflict(memory, machines, state.conflict_file(memory)))

    def _conflict_text(self, mine: Version, others: Sequence[Version]) -> str:
        if len(others) == 1:
            base = self._history.base(mine, others[0])
            name = names.label_of(others[0].machine)
            return conflict_text(base.text if base and base.text else "", mine.text or "", others[0].text or "", name)
        parts = [f"{'<' * 7} here\n{mine.text}"]
        parts += [f"{'=' * 7} {names.label_of(other.machine)}\n{other.text}" for other in others]
        return "\n".join([*parts, f"{'>' * 7}\n"])


def _with_local_secrets(known: Version | None, file: LocalMemory | None, text: str) -> tuple[str, bool]:
    """Return *text* with the secrets that the local file keeps, and whether the old file must go to the trash."""
    if file is None or known is None or known.text is None or file.text == known.text:
        return text, False
    merged = merge_text(known.text, file.text, text)
    try:
        is_whole = not merged.conflicts and read_memory(merged.text).id == file.memory.id
    except UnreadableNodeError:
        is_whole = False
    if is_whole and redact(merged.text)[0] == text:
        return merged.text, False
    return text, True
