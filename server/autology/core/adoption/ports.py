"""Port to the folders that hold a project's adopted records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from autology.core.content.files import Stamp, Watched
from autology.core.records.collection import Correction, Texts


class RecordFolders(Watched, Texts, Protocol):
    """The files in the folders that the project's configuration names; their texts are cached by their stamps."""

    def chosen(self) -> tuple[str, Sequence[Correction]]:
        """Return the configuration of records as text, "" if it names none, and what it says by folder."""

    def scan(self) -> Mapping[str, Stamp]:
        """Return the stamp of every file in the chosen folders that may be a record, its second file, or explain it."""
