"""Adding tags to a document, in a comment at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autology.core.documents import writing
from autology.core.documents.library import Library, decoded
from autology.core.documents.writing import Draft
from autology.model.errors import DocumentMissingError, ValidationError
from autology.text import tagblock


@dataclass(frozen=True, slots=True)
class Tagged:
    """How many tags were added to which file, named as the caller named it."""

    path: str
    given: str
    added: int


def inject_tags(library: Library, file_path: str, tags: Sequence[str]) -> Tagged:
    """Add those of *tags* that the document lacks; everything else stays as it is, byte for byte.

    Raises:
        ValidationError: a tag does not fit, or the path leads out of the sources.
        DocumentMissingError: there is no such file.
        ConflictError, StorageError: nothing was changed.
    """
    wanted = writing.checked_tags(tags, needed=True)

    def act(draft: Draft) -> Tagged:
        path = writing.existing(library, file_path, "file_path")
        try:
            data, _ = library.files.read(path)
        except FileNotFoundError:
            raise DocumentMissingError(file_path) from None
        was = decoded(path, data)
        if not tagblock.blocks(was.text) and not tagblock.holds(was.text):
            fits = "Close it first; tags behind it would not be read."
            raise ValidationError("file_path", "the file ends inside of a code block or a comment", fits)
        text, added = tagblock.merged(was.text, wanted)
        if added:
            draft.set(path, data, writing.encoded(path, was, text))
        return Tagged(path, file_path, added)

    return writing.change(library, act, look=False)
