"""The session's work whose reasons no node records yet."""

from __future__ import annotations

import os

from autology.hooks import session_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from autology.core.lookup_ports import NodeLookup
    from autology.hooks.project import HookProject
    from autology.hooks.session_state import Note


def uncaptured(
    project: HookProject, index: NodeLookup | None, begun: str = ""
) -> tuple[list[Note], list[tuple[str, str, str, str]]]:
    """Return the session's commits and pull requests whose reasons were not captured, and the session's captured nodes.

    One capture in the session is enough, before or after the commit; so is a commit that itself contains a note, or a
    note of that time that names the commit or its files. *begun* is the stamp of the session's start, if known. Without
    an index, the modification times of the node folders decide.
    """
    notes = session_state.of_session(project, "commit", "pull")
    since = min(begun or "~", *map(session_state.stamp, notes)) if notes else ""
    if index is None:
        uncaptured_notes = (
            [] if _last_written(project) >= since else [note for note in notes if not note.get(HAS_KNOWLEDGE)]
        )
        return uncaptured_notes, []
    captured = index.captured(project.session, since, 100)
    if captured:
        return [], captured
    return [note for note in notes if not (note.get(HAS_KNOWLEDGE) or _is_named(index, note, since))], []


HAS_KNOWLEDGE = "holds"
"""The key of a commit note's flag that the commit changed nodes or memories."""
_KNOWLEDGE_FOLDERS = (".autology/nodes/", ".autology/memory/")
_HASH_LENGTHS = (7, 8, 10, 12, 40)
"""Usual lengths of abbreviated commit hashes."""


def contains_knowledge(files: Iterable[str]) -> bool:
    """Whether one of *files*, relative to the project's root, is a node or a memory."""
    return any(name.startswith(_KNOWLEDGE_FOLDERS) for name in files)


def _is_named(index: NodeLookup, note: Note, since: str) -> bool:
    files, commit = session_state.ids(note, "files"), note.get("commit")
    if files and index.naming(files, since):
        return True
    if not isinstance(commit, str):
        return False
    from autology.text.tokens import query_terms

    return any(index.about(query_terms(commit[:length]), 1) for length in _HASH_LENGTHS)


def beginning(transcript: object) -> str:
    """Return the stamp of the first record in a session's *transcript*, or ""."""
    if not isinstance(transcript, str):
        return ""
    try:
        with open(transcript, "rb") as file:
            first = file.read(_HEAD_SIZE)
    except OSError:
        return ""
    at = first.partition(b'"timestamp":"')[2][:19]
    return f"{at.decode()}Z" if at.isascii() and at[10:11] == b"T" else ""


_HEAD_SIZE = 1 << 16
"""Bytes read from a transcript's start: the first records are metadata of some hundred bytes."""


def changed_files(transcript: object) -> bool:
    """Whether a session's *transcript* contains a tool call that edits a file."""
    if not isinstance(transcript, str):
        return False
    try:
        with open(transcript, "rb") as file:
            rest = b""
            for _ in range(_BLOCKS):
                block = file.read(_BLOCK_SIZE)
                if any(mark in rest + block for mark in _EDITS):
                    return True
                if len(block) < _BLOCK_SIZE:
                    break
                rest = block[-_LONGEST_MARK:]
    except OSError:
        pass
    return False


_EDITS = tuple(b'"name":"%s"' % tool for tool in (b"Edit", b"Write", b"MultiEdit", b"NotebookEdit"))
_LONGEST_MARK = max(map(len, _EDITS))
_BLOCK_SIZE, _BLOCKS = 1 << 20, 50
"""A transcript is read in blocks of 1 MB, at most 50: some 20 ms."""


def _last_written(project: HookProject) -> str:
    nodes = os.path.join(project.root, ".autology", "nodes")
    last = 0.0
    try:
        for name in os.listdir(nodes):
            last = max(last, os.stat(os.path.join(nodes, name)).st_mtime)
    except OSError:
        return ""
    return session_state.utc_stamp(last)
