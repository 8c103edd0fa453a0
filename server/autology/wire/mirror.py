"""The mirror of the user's memories and past sessions with their other machines."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache

from autology import places
from autology.files.answered_candidates import AnsweredCandidates
from autology.files.memory_folder import MemoryFolder, has_memories
from autology.mirror.local_memories import LocalMemories
from autology.mirror.mirror import Mirror, MirrorStatus, status_in
from autology.model.errors import StorageError
from autology.text.language.timestamps import stamp
from autology.vcs import git_process, project_identity
from autology.wire import user
from autology.wire.project import Project

LISTING_SECONDS = 5.0
"""Deadline of a listing by git; a folder of 10,000 files takes a twentieth of a second."""
_MEMORIES = ".autology/memory"


def mirror_status() -> MirrorStatus:
    """Return what this machine knows of its mirrors."""
    return status_in(_folder())


def _folder() -> str:
    return os.path.join(places.data_dir(), "mirror")


def open_mirror(project: Project, label: str = "") -> Mirror:
    """Return the user's mirror; *label* is what other machines call this one, its host's name by default.

    It carries the user's own memories, and those of *project* and other known projects unless version control does.
    """
    own = places.data_dir()
    conversations = project.conversations

    def forget(transcript: str) -> None:
        with suppress(StorageError):  # what was read of it before then stays beside what is read of it again
            conversations.index.forget([transcript])

    def roots() -> list[str]:
        known = dict.fromkeys(os.path.realpath(root) for root in (project.root, *user.project_roots()))
        return [root for root in known if root != os.path.realpath(own) and has_memories(root)]

    def others() -> list[MemoryFolder]:
        return [MemoryFolder(root) for root in roots() if _is_for_the_mirror(root)]

    @cache
    def carried() -> list[str]:
        return [root for root in roots() if not _is_for_the_mirror(root)]

    return Mirror(
        folder=_folder(),
        host=label or platform.node(),
        memories=LocalMemories(MemoryFolder(own, is_private=True), others, lambda: stamp(datetime.now(UTC)), carried),
        store=conversations.archive,
        answers=AnsweredCandidates(os.path.join(own, "mined-answers.txt")),
        is_excluded=conversations.rules.excluded,
        forget=forget,
    )


def _is_for_the_mirror(root: str) -> bool:
    """Whether version control does not carry the memories of the project at *root* to other machines."""
    marks = project_identity.marks(root)
    if marks is None or not marks.common:
        return marks is not None
    ignored = git_process.output("ls-files", ["-o", "-i", "--exclude-standard", "--", _MEMORIES], root, LISTING_SECONDS)
    tracked = git_process.output("ls-files", ["--", _MEMORIES], root, LISTING_SECONDS)
    return bool(ignored) and not tracked
