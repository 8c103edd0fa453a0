"""Restoring a deleted document from the trash."""

from __future__ import annotations

from dataclasses import replace

from autology.core.content.draft import Draft
from autology.core.content.trash import Trashed
from autology.core.documents import writing
from autology.core.documents.codec import DocumentFile
from autology.core.documents.library import Library
from autology.core.documents.lookup import find
from autology.core.ports import ABSENT
from autology.model.errors import DocumentNotFoundError, ValidationError
from autology.model.hit import Source


def restore(library: Library, asked: str) -> Source:
    """Put a deleted document back where it lay; *asked* is its id, its path or its name in the trash.

    Of several that were deleted from one place the last one comes back.

    Raises:
        DocumentNotFoundError: the trash holds no such document.
        ValidationError: its place is taken, or lies in no source any more.
        StorageError: nothing was changed.
    """

    def act(draft: Draft[DocumentFile]) -> Trashed:
        there = library.trash.items()
        item = library.trash.named(there, library.relative(asked))
        if item is None:
            raise DocumentNotFoundError(asked, [item.id for item in there][:3])
        place = writing.place(library, item.path, "path")
        if library.files.scan_one(place) != ABSENT:
            taken = f"{place} exists"
            raise ValidationError("path", taken, "Rename or delete that document first; this one stays in the trash.")
        draft.restore(replace(item, path=place), library.trash.data(item))
        return item

    item = library.change(act)
    return library.asked(lambda: find(library, item.path))
