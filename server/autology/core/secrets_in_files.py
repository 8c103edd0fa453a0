"""Secrets in a project's own files: where, and of which kind, never their values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from autology.core.doctor import Diagnosis, Report
from autology.core.documents.library import Library
from autology.core.memory.memories import Memories
from autology.model.errors import StorageError
from autology.model.next_step import Action, Sentence, do
from autology.text.language.plural import counted
from autology.text.redaction import secrets_in

PRIVATE = "private"
"""Text that a person marked as private belongs in that person's file."""
LISTED = 200
"""Secrets listed one by one; further ones are listed once these are fixed."""
_FIX = (
    "Revoke it where it was made, then remove it from the file; what was committed stays in the history of git. "
    "Until then it is redacted in the index and in everything shown to Claude."
)


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret in the file at *path*, on *line* (from 1)."""

    path: str
    line: int
    kind: str


def leaks(library: Library, memories: Memories | None = None) -> tuple[int, tuple[Leak, ...]]:
    """Return how many of the project's notes, documents and memories were read, and the secrets in them."""
    read = 0
    secrets: list[Leak] = []
    for path, text in _texts(library, memories):
        read += 1
        secrets += _in(path, text)
    return read, tuple(secrets)


def examine(library: Library, memories: Memories | None = None) -> Report:
    """Return the secrets in the project's files and in *memories*, each with what to do about it."""
    read, secrets = leaks(library, memories)
    there = counted(len(secrets), "secret") if secrets else "none"
    facts = (("secrets", f"{there} in {counted(read, 'file')}"),)
    findings = [Diagnosis("secret", f"{leak.path}:{leak.line}: {leak.kind}", _FIX) for leak in secrets[:LISTED]]
    if len(secrets) > LISTED:
        more = f"{len(secrets) - LISTED:,} more of them"
        step = Sentence("Fix those above, and run ", do(Action.DOCTOR, secrets=True), " again.")
        findings.append(Diagnosis("secret", more, step))
    return Report(facts, tuple(findings))


def _texts(library: Library, memories: Memories | None) -> Iterator[tuple[str, str]]:
    notes, documents = library.graph.files, library.files
    looks = [("", path, notes.read) for path in sorted(notes.scan())]
    looks += [("", path, documents.read) for path in sorted(documents.scan().files)]
    for root in memories.roots if memories else ():
        looks += [(root.prefix, path, root.files.read) for path in sorted(root.files.scan())]
    for prefix, path, read in looks:
        try:
            yield prefix + path, read(path)[0].decode("utf-8", "replace")
        except (FileNotFoundError, StorageError):
            continue  # the doctor reports unreadable files


def _in(path: str, text: str) -> Iterator[Leak]:
    line, at = 1, 0
    for finding in secrets_in(text):
        line += text.count("\n", at, finding.start)
        at = finding.start
        if finding.kind != PRIVATE:
            yield Leak(path, line, finding.kind)
