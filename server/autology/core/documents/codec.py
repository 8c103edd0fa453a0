"""Documents as files: a person's own, written back in the encoding and with the byte order mark that they have."""

from __future__ import annotations

from dataclasses import dataclass

from autology.core.content.codec import Codec, Stored
from autology.core.content.files import Stamp
from autology.core.documents.document import document, unlinked
from autology.core.index.changes import Put
from autology.model.entry import DOCUMENT
from autology.model.errors import StorageError, UnreadableNodeError
from autology.text.notes.charset import Decoded, UnreadableTextError, decode


@dataclass(frozen=True, slots=True)
class Page:
    """A document's *text*, where it lies, and the *form* of its file: its encoding and byte order mark."""

    path: str
    text: str
    form: Decoded

    @property
    def id(self) -> str:
        """Its path: the id that the index has follows from the paths of all documents."""
        return self.path


class DocumentCodec(Codec[Page]):
    """A document is a markdown file of the project's sources."""

    kind = DOCUMENT
    noun = "document"
    trash = "documents"

    def parse(self, data: bytes, path: str) -> Page:
        """Return the page that *data* holds. Raises UnreadableNodeError."""
        try:
            decoded = decode(data)
        except UnreadableTextError as error:
            raise UnreadableNodeError(str(error)) from None
        return Page(path, decoded.text, decoded)

    def serialise(self, entry: Page) -> bytes:
        """Return *entry* as bytes. Raises StorageError."""
        try:
            return entry.form.encoded(entry.text)
        except UnicodeEncodeError:
            raise StorageError(entry.path, "cannot hold half a character", "Remove it from the text.") from None

    def edit(self, stored: Stored[Page], entry: Page) -> tuple[Page, bytes]:
        """Return *entry* and its bytes: all of a page's text is written anew."""
        del stored
        return entry, self.serialise(entry)

    def project(self, path: str, at: Stamp, entry: Page) -> Put:
        """Return the page with its texts, and without its links: where those lead follows from all names."""
        return unlinked(document(path, path, entry.text), at, at).put
