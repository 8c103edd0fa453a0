"""Documents as files: written back in their own encoding, with their own byte order mark."""

from __future__ import annotations

from dataclasses import dataclass

from autology.core.content.codec import Codec, Stored
from autology.core.content.files import Stamp
from autology.core.documents.document import read_document
from autology.core.index.changes import Put
from autology.model.entry import DOCUMENT
from autology.model.errors import StorageError, UnreadableNodeError
from autology.text.notes.charset import Decoded, UnreadableTextError, decode


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """A document's *text*, its path, and the *form* of its file: encoding and byte order mark."""

    path: str
    text: str
    form: Decoded

    @property
    def id(self) -> str:
        """Its path in the project."""
        return self.path


class DocumentCodec(Codec[DocumentFile]):
    """A document is a text of the project's sources."""

    kind = DOCUMENT
    noun = "document"
    trash = "documents"

    def parse(self, data: bytes, path: str) -> DocumentFile:
        """Return the document in *data*. Raises UnreadableNodeError."""
        try:
            decoded = decode(data)
        except UnreadableTextError as error:
            raise UnreadableNodeError(str(error)) from None
        return DocumentFile(path, decoded.text, decoded)

    def serialise(self, entry: DocumentFile) -> bytes:
        """Return *entry* as bytes. Raises StorageError."""
        try:
            return entry.form.encoded(entry.text)
        except UnicodeEncodeError:
            raise StorageError(entry.path, "cannot hold half a character", "Remove it from the text.") from None

    def edit(self, stored: Stored[DocumentFile], entry: DocumentFile) -> tuple[DocumentFile, bytes]:
        """Return *entry* and its bytes: the whole text is rewritten."""
        del stored
        return entry, self.serialise(entry)

    def project(self, path: str, at: Stamp, entry: DocumentFile) -> Put:
        """Return its index entry without links: their targets depend on the names of all documents."""
        return read_document(path, entry.text, at, at).put
