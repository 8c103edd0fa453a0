"""Homes of one user on several machines, with memories and past sessions, and the folders that they mirror with."""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from autology.core.conversations.transcripts import Home as ProjectHome
from autology.core.long_work import Progress
from autology.files.answered_candidates import AnsweredCandidates
from autology.files.memory_folder import MemoryFolder
from autology.mirror.local_memories import LocalMemories
from autology.mirror.mirror import Mirror, MirrorOptions, MirrorReport, status_in
from autology.model.memory import Kind, Memory, Scope, content_hash
from autology.text.language.timestamps import stamp
from autology.text.notes.memory_file import edit_memory, read_memory, write_memory
from autology.transcripts.archive import FolderArchive
from autology.transcripts.claude_code import ClaudeCode
from autology.transcripts.every_agent import EveryAgent

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


@contextmanager
def no_stage(_: str) -> Iterator[Progress]:
    yield lambda *_: None


class Machine:
    """A machine called *label*, whose user's files lie in *root* and whose clock is off by *skew*."""

    def __init__(self, root: Path, label: str, skew: timedelta = timedelta(0)) -> None:
        self.root = root
        self.label = label
        self.skew = skew
        self.shared = root / "shared"
        self.data = root / "data"
        self.memories = MemoryFolder(str(self.data), is_private=True)
        self.answers = AnsweredCandidates(str(self.data / "mined-answers.txt"))
        live = EveryAgent(ClaudeCode(str(root / "claude")), list, ())
        self.archive = FolderArchive(str(self.data / "archive"), live)
        self.forgotten: list[str] = []
        self.tick = 0

    def now(self) -> str:
        """The time by this machine's own clock."""
        self.tick += 1
        return stamp(START + self.skew + timedelta(seconds=self.tick))

    def name(self) -> str:
        """What the machine's folder is called."""
        return status_in(str(self.data / "mirror")).machine

    def mirror(self) -> Mirror:
        return Mirror(
            folder=str(self.data / "mirror"),
            host=self.label,
            memories=LocalMemories(self.memories, list, self.now),
            store=self.archive,
            answers=self.answers,
            is_excluded=lambda folder: folder.startswith("/private"),
            forget=self.forgotten.append,
        )

    def sync(self, place: str | Path | None = None, **options: object) -> MirrorReport:
        (self.shared if place is None else Path(self.root)).mkdir(parents=True, exist_ok=True)
        wanted = str(self.shared if place is None else place)
        return self.mirror().run(wanted, str(self.root), MirrorOptions(**options), no_stage)  # type: ignore[arg-type]

    # ---- memories ----------------------------------------------------------------------------------

    def file(self, id: str) -> Path:
        return self.data / ".autology" / "memory" / "observation" / f"{id}.md"

    def text(self, id: str) -> str:
        return self.file(id).read_text(encoding="utf-8")

    def content(self, id: str) -> str | None:
        return read_memory(self.text(id)).content if self.file(id).exists() else None

    def ids(self) -> list[str]:
        return sorted(path.stem for path in self.file("x").parent.glob("*.md"))

    def store(self, id: str, content: str, **fields: object) -> None:
        """Store a new memory, or give one another content."""
        path = self.file(id)
        if path.exists():
            before = read_memory(self.text(id))
            after = _changed(before, content=content, updated_at=self.now(), content_hash=content_hash(content))
            path.write_bytes(edit_memory(self.text(id), _changed(after, **fields)).encode())
            return
        at = self.now()
        memory = Memory(id, Kind.OBSERVATION, content, Scope(org="acme"), at, at, content_hash=content_hash(content))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(write_memory(_changed(memory, **fields)).encode())

    def delete(self, id: str) -> None:
        """Delete a memory as the tools do: its file goes to the trash."""
        local = LocalMemories(self.memories, list, self.now)
        assert local.remove(local.read()[id])

    def conflict(self, id: str) -> str:
        path = self.data / "mirror" / "conflicts" / f"{id}.md"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    # ---- sessions ----------------------------------------------------------------------------------

    def say(self, session: str, *texts: str, folder: str = "/home/dev/shop") -> None:
        """Let a session go on with *texts*, and archive it."""
        path = self.root / "claude" / "projects" / "-work-shop" / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text(encoding="utf-8").count("\n") if path.exists() else 0
        with path.open("a", encoding="utf-8") as file:
            for number, text in enumerate(texts, before):
                record = {
                    "type": "user" if number % 2 == 0 else "assistant",
                    "uuid": f"{session}-{number}",
                    "sessionId": session,
                    "cwd": folder,
                    "timestamp": self.now(),
                    "message": {"role": "user" if number % 2 == 0 else "assistant", "content": text},
                }
                file.write(json.dumps(record) + "\n")
        self.archive.keep(f"-work-shop/{session}.jsonl", lambda folder: ProjectHome("example.org/shop", folder))

    def sessions(self) -> dict[str, bytes]:
        """Return what is archived here, by the session's id; machines are told by :meth:`transcripts`."""
        return {Path(name).stem: b"".join(self.archive.lines(name)) for name in self.archive.scan()}

    def transcripts(self) -> list[str]:
        return list(self.archive.scan())


def _changed(memory: Memory, **fields: object) -> Memory:
    from dataclasses import replace

    return replace(memory, **fields)  # type: ignore[arg-type]


def carry(source: Path, target: Path, chance: random.Random | None = None) -> None:
    """Copy what *source* has and *target* lacks, as a program that syncs folders does.

    With *chance*, only some files, in any order, some of them torn: the next call completes these.
    """
    files = [path.relative_to(source) for path in source.glob("*/*") if path.is_file() and path.suffix != ".tmp"]
    if chance is not None:
        chance.shuffle(files)
        files = files[: chance.randint(0, len(files))]
    for file in files:
        data = (source / file).read_bytes()
        there = (target / file).read_bytes() if (target / file).exists() else None
        if there is not None and len(there) >= len(data):
            continue
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        is_torn = chance is not None and chance.random() < 0.2
        (target / file).write_bytes(data[: chance.randint(0, len(data) - 1)] if chance and is_torn else data)


def everything_in(folder: Path) -> bytes:
    """Return all names and bytes below *folder*, unpacked."""
    parts: list[bytes] = []
    for path in sorted(folder.rglob("*")):
        parts.append(os.fsencode(str(path.relative_to(folder))))
        if path.is_file():
            data = path.read_bytes()
            parts.append(gzip.decompress(data) if path.suffix == ".gz" and path.stat().st_size else data)
    return b"\n".join(parts)


def copied(machine: Machine, to: Path) -> Machine:
    """Return a copy of *machine*, as one restored from a backup or cloned."""
    shutil.copytree(machine.root, to)
    return Machine(to, machine.label, machine.skew)
