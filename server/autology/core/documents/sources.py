"""Port to the folders of markdown documents that a project searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from autology.core.content.files import Stamp, Watched


@dataclass(frozen=True, slots=True)
class Scan:
    """The contents of the sources: documents by path, their folders, and missing sources.

    Unreadable files and folders are among the files; reading one says why.
    """

    files: Mapping[str, Stamp]
    folders: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class Documents(Watched, Protocol):
    """The markdown files of a project's sources: a person's own, read as they are."""

    @property
    def sources(self) -> Sequence[str]:
        """The folders that are searched; ``.`` is the root's own files, ``**`` everything."""

    def scan(self) -> Scan:
        """Return every document with its stamp, the folders, and the missing sources."""

    def source_of(self, path: str) -> str | None:
        """Return the source that contains *path*; None if none does or it is excluded."""
