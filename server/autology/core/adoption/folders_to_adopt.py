"""Choosing the folders whose records are adopted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autology.core.records.collection import Collection, Discovery

HERE = "."
"""How the configuration names the project's root: the files directly in it, and in the folders directly in it, for
records that are a folder each."""


def lies_in(path: str, folder: str) -> bool:
    """Whether *path* lies in an adopted *folder*, "" for the root."""
    return path.startswith(f"{folder}/") if folder else path.count("/") <= 1


def folders(discovery: Discovery) -> list[str]:
    """Return the folders that the configuration names for the collections of *discovery*, without nested ones."""
    chosen = sorted({folder for collection in discovery.collections for folder in _folders(collection)})
    return [one for one in chosen if not any(one.startswith(f"{other}/") for other in chosen)]


def _folders(collection: Collection) -> Sequence[str]:
    if collection.folder:
        return [collection.folder]
    return sorted({folder.partition("/")[0] or HERE for folder in collection.folders})
