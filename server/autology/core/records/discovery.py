"""Finding a project's collections of records: the entry of this package."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from autology.core.records.collection import Correction, Discovery, Texts


def find_collections(paths: Iterable[str], texts: Texts, corrections: Sequence[Correction] = ()) -> Discovery:
    """Return the collections of records among a project's files.

    *paths* are all of its files, from the root, with ``/``, in any order: sidecars are recognised among them. Only heads
    of files are read until a folder turns out to hold records.
    """
    raise NotImplementedError
