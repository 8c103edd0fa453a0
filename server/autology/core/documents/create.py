"""Creating a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autology.core.content.draft import Draft
from autology.core.content.files import ABSENT
from autology.core.documents import file_names, write_checks
from autology.core.documents.codec import DocumentFile
from autology.core.documents.library import Library
from autology.core.documents.lookup import find
from autology.model.errors import ValidationError
from autology.model.next_step import Action, Sentence, do
from autology.text.markdown import tag_block
from autology.text.notes.charset import Decoded
from autology.text.redaction import redact


@dataclass(frozen=True, slots=True)
class Created:
    """The new document: its id and path, the hash of its bytes and their number."""

    id: str
    path: str
    hash: str
    size: int
    redacted: tuple[str, ...] = ()


def create_document(library: Library, path: str, content: str, tags: Sequence[str] = ()) -> Created:
    """Write a new document, creating its folders.

    Raises:
        ValidationError: the path leads out of the sources, a file is there, or a value does not fit.
        StorageError: nothing was written.
    """
    wanted = write_checks.checked_tags(tags)
    text, findings = redact(write_checks.checked_content(content))
    if wanted:
        text, _ = tag_block.merged(text, wanted)

    def act(draft: Draft[DocumentFile]) -> str:
        place = file_names.portable(file_names.place(library, path, "path"), "path")
        write_checks.check_writable(place, "path")
        if library.files.scan_one(place) != ABSENT:
            step = Sentence("Use ", do(Action.UPDATE_DOCUMENT), " to change it, or another path.")
            raise ValidationError("path", f"{place} exists", step)
        draft.create(DocumentFile(place, text, Decoded(text)))
        return place

    place = library.change(act)
    source = library.read_current(lambda: find(library, place))
    kinds = tuple(finding.kind for finding in findings)
    data = text.encode()
    return Created(source.id, place, write_checks.hash_of(data), len(data), kinds)
