"""The lines of a machine's log: versions of memories, and answers to mined candidates."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from autology.mirror.versions import Version, version
from autology.model.errors import AutologyError
from autology.model.memory import check_id
from autology.text.notes.memory_file import read_memory

LINE = 16_000_000
"""Maximum characters of a line: a memory's file of 2.5 MB, each character escaped."""
FILE_LIMIT = 2_500_000
PARENTS = 1_000
FILE_BYTES = 8_000_000
"""Bytes from which the rest of a log goes into another file."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a mined candidate: its line, the candidate's id and what was answered."""

    line: str


Record = Version | Answer


def encoded(records: Iterable[Record]) -> Iterator[bytes]:
    """Yield the content of log files that hold *records*, in order."""
    lines: list[bytes] = []
    size = 0
    for record in records:
        line = _line(record)
        if lines and size + len(line) > FILE_BYTES:
            yield b"".join(lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line)
    if lines:
        yield b"".join(lines)


def _line(record: Record) -> bytes:
    if isinstance(record, Answer):
        fields: dict[str, object] = {"answer": record.line}
    else:
        fields = {"memory": record.memory, "parents": list(record.parents), "machine": record.machine}
        fields |= {"text": record.text, "version": record.name}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace") + b"\n"


def decoded(data: bytes, is_own: bool = False) -> tuple[list[Record], int]:
    """Return the records in a log file, and the number of lines that hold none: damaged, or of a later version.

    Texts of this machine's own log were valid when they were written.
    """
    records: list[Record] = []
    unusable = 0
    for line in data.split(b"\n"):
        if not line.strip():
            continue
        record = _record(line, is_own) if len(line) <= LINE else None
        if record is None:
            unusable += 1
        else:
            records.append(record)
    return records, unusable


def _record(line: bytes, is_own: bool) -> Record | None:
    try:
        fields = json.loads(line)
        if "answer" in fields:
            return _answer(fields["answer"])
        memory, parents, text = fields["memory"], fields["parents"], fields["text"]
        if not all(isinstance(parent, str) and len(parent) == 32 for parent in parents) or len(parents) > PARENTS:
            return None
        if not is_own and not _is_valid(check_id(memory), text):
            return None
        one = version(memory, parents, text, str(fields.get("machine", ""))[:60])
        return one if one.name == fields.get("version") else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, AutologyError):
        return None


def _is_valid(memory: str, text: str | None) -> bool:
    """Whether *text* is a memory's file. Raises AutologyError, TypeError."""
    return text is None or (len(text.encode("utf-8")) <= FILE_LIMIT and read_memory(text).id == memory)


def _answer(line: object) -> Answer | None:
    words = line.split() if isinstance(line, str) and len(line) <= 200 and line.isprintable() else []
    return Answer(" ".join(words)) if len(words) == 2 else None
