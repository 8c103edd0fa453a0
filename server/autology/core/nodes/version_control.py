"""Port to version control: what it knows of the project's files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Pin:
    """A file that is pinned *at* a time, with the content *saw*, "" if unknown."""

    at: str
    path: str
    saw: str = ""


@dataclass(frozen=True, slots=True)
class Versions:
    """A changed file: its path *now* ("": gone), its text then and now, the last commits."""

    path: str
    now: str
    before: str
    after: str
    commits: tuple[str, ...] = ()


class History(Protocol):
    """Version control's knowledge of the project's files."""

    def versions(self, pins: Sequence[Pin]) -> Mapping[Pin, Versions]:
        """Return those of *pins* that changed since: compared with the pinned content, else with that time's commit."""

    def moved(self, paths: Sequence[str]) -> Mapping[str, str]:
        """Return the current paths of those of *paths* that were moved, as far as known."""

    def holding(self, name: str) -> Mapping[str, str]:
        """Return the texts of a few files that contain *name*, by path."""

    def dates(self, paths: Sequence[str]) -> Mapping[str, tuple[str, str]]:
        """Return (first committed, last committed) as stamps, by path; without history, nothing."""

    def files(self) -> Sequence[str] | None:
        """Return the project's files that are not ignored, or None without version control."""

    def ignored(self) -> Sequence[str] | None:
        """Return the ignored paths, folders with a ``/`` at the end, or None without version control."""

    def head(self) -> str | None:
        """Return an id of the project's current commit, None without a full history; cheap to call often."""

    def identity(self) -> str | None:
        """Return the project's identity, or None."""
