"""The folders of the documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from autology.core.documents.library import Library
from autology.core.documents.sources import WHOLE, Scan
from autology.model.argument_limits import FOLDER_DEPTH
from autology.model.errors import ValidationError
from autology.text.documents.client_memory import is_client_memory

HERE = "./"


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """A folder, with ``/`` at its end, and the number of documents in it and below."""

    path: str
    documents: int


@dataclass(frozen=True, slots=True)
class FolderTree:
    """The folders in order, and the configured sources that do not exist."""

    folders: tuple[FolderEntry, ...]
    missing: tuple[str, ...] = ()


def structure(library: Library, depth: int = 1) -> FolderTree:
    """Return the sources' folders, *depth* levels of them: the sources themselves are the first.

    Raises:
        ValidationError: the depth does not fit.
    """
    if not 1 <= depth <= FOLDER_DEPTH:
        raise ValidationError(
            "depth", f"{depth} is outside 1-{FOLDER_DEPTH}", f"Give a number from 1 to {FOLDER_DEPTH}."
        )
    scan = library.layout()
    cached = library.folder_trees.get(depth)
    if cached is None or cached[0] is not scan:
        cached = library.folder_trees[depth] = (scan, _structure(scan, library.files.sources, depth))
    tree = cached[1]
    assert isinstance(tree, FolderTree)
    return tree


def _structure(scan: Scan, sources: Sequence[str], depth: int) -> FolderTree:
    counts: Counter[str] = Counter()
    for path in scan.files:
        if is_client_memory(path):
            continue
        folder = path.rpartition("/")[0]
        while folder:
            counts[folder] += 1
            folder = folder.rpartition("/")[0]
        counts[""] += "/" not in path
    tops = tuple(source for source in sources if source not in WHOLE)
    shown = [FolderEntry(f"{folder}/", counts[folder]) for folder in scan.folders if _level(folder, tops) <= depth]
    here = [FolderEntry(HERE, counts[""])] if counts[""] else []
    return FolderTree((*(entry for entry in shown if entry.path != "/"), *here), scan.missing)


def _level(folder: str, tops: tuple[str, ...]) -> int:
    """Return the depth of *folder*: sources and folders directly below the root are at level 1."""
    inside = [top for top in tops if folder == top or folder.startswith(f"{top}/")]
    base = min((top.count("/") for top in inside), default=0)
    return folder.count("/") - base + 1
