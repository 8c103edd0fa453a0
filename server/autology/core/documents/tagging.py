"""Adding tags to a document, in a comment at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from autology.core.content.draft import Draft
from autology.core.documents import file_names, write_checks
from autology.core.documents.codec import DocumentFile
from autology.core.documents.library import Library
from autology.model.errors import DocumentMissingError, ValidationError
from autology.text.markdown import tag_block


@dataclass(frozen=True, slots=True)
class Tagged:
    """The number of tags added, and the file as the caller named it."""

    path: str
    requested: str
    added: int


def inject_tags(library: Library, file_path: str, tags: Sequence[str]) -> Tagged:
    """Add those of *tags* that the document lacks; the rest of the file stays byte for byte.

    Raises:
        ValidationError: a tag does not fit, or the path leads out of the sources.
        DocumentMissingError: there is no such file.
        ConflictError, StorageError: nothing was changed.
    """
    wanted = write_checks.checked_tags(tags, needed=True)

    def act(draft: Draft[DocumentFile]) -> Tagged:
        path = file_names.existing(library, file_path, "file_path")
        write_checks.check_writable(path, "file_path")
        try:
            stored = library.page(path)
        except FileNotFoundError:
            raise DocumentMissingError(file_path) from None
        document = stored.entry
        if not tag_block.blocks(document.text) and not tag_block.can_be_appended_to(document.text):
            fits = "Close it first; tags behind it would not be read."
            raise ValidationError("file_path", "the file ends inside of a code block or a comment", fits)
        text, added = tag_block.merged(document.text, wanted)
        if added:
            draft.replace(stored, replace(document, text=text))
        return Tagged(path, file_path, added)

    return library.change(act, refresh=False)
