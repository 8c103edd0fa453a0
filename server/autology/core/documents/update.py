"""Changing a document: its text, one of its sections, its name; links to it follow."""

from __future__ import annotations

from dataclasses import dataclass, replace

from autology.core.content.draft import Draft
from autology.core.content.files import ABSENT
from autology.core.documents import file_names, rename, write_checks
from autology.core.documents.codec import DocumentFile
from autology.core.documents.library import Library
from autology.core.documents.lookup import find
from autology.core.documents.section import replaced
from autology.core.redaction_markers import restore_markers
from autology.model.errors import ValidationError
from autology.model.next_step import Action


@dataclass(frozen=True, slots=True)
class DocumentEdit:
    """The changes; None leaves a field unchanged. *base_hash* is the hash of the text that the caller read."""

    content: str | None = None
    section: str | None = None
    base_hash: str | None = None
    rename_to: str | None = None


@dataclass(frozen=True, slots=True)
class Edited:
    """The changed document: sizes in bytes, and the files whose links were updated."""

    id: str
    path: str
    hash: str
    size_before: int
    size_after: int
    renamed_from: str | None = None
    relinked: tuple[str, ...] = ()
    redacted: tuple[str, ...] = ()


def update_document(library: Library, id: str, edit: DocumentEdit) -> Edited:
    """Apply an edit; markers in its content keep the original text in the file.

    Raises:
        DocumentNotFoundError, AmbiguousNameError: *id* names nothing, or several.
        ValidationError: nothing is to change, the section is not there, or the file is not what *base_hash* says.
        ConflictError, StorageError: nothing was changed.
    """
    if edit.content is None and edit.rename_to is None:
        raise ValidationError("content", "is missing", "Give content, rename_to, or both.")
    if edit.section is not None and edit.content is None:
        raise ValidationError("content", "is missing", "Give what the section is to say.")
    content = write_checks.checked_content(edit.content) if edit.content is not None else None

    def act(draft: Draft[DocumentFile]) -> Edited:
        source = write_checks.document_source(library, id, Action.UPDATE)
        stored = library.stored(source)
        _check_base(stored.data, edit.base_hash)
        before = stored.entry
        put, kinds = restore_markers(content, before.text) if content is not None else ("", ())
        text = before.text if content is None else replaced(before.text, put, edit.section)
        path = source.path if edit.rename_to is None else _new_place(library, source.path, edit.rename_to)
        relinked: tuple[str, ...] = ()
        if path != source.path:
            text, relinked = rename.relink(library, draft, source, path, text)
        draft.replace(stored, replace(before, path=path, text=text))
        data = draft.changes[path].after or b""
        return Edited(
            id=source.id,
            path=path,
            hash=write_checks.hash_of(data),
            size_before=len(stored.data),
            size_after=len(data),
            renamed_from=source.path if path != source.path else None,
            relinked=relinked,
            redacted=kinds,
        )

    done = library.change(act)
    if done.renamed_from is None:
        return done
    source = library.read_current(lambda: find(library, done.path))
    return Edited(source.id, *(getattr(done, name) for name in _AFTER_ID))


_AFTER_ID = ("path", "hash", "size_before", "size_after", "renamed_from", "relinked", "redacted")


def _check_base(data: bytes, base_hash: str | None) -> None:
    if base_hash is not None and base_hash.strip().lower() != write_checks.hash_of(data):
        fits = "Nothing was written. Read it again and repeat the change on what it says now."
        raise ValidationError("base_hash", "the file on disk is not what you had read", fits)


def _new_place(library: Library, path: str, wanted: str) -> str:
    """Return the new path of a document: a bare name stays in the same folder."""
    folder = path.rpartition("/")[0]
    plain = library.relative(wanted)
    bare = "/" not in plain and not wanted.strip().startswith("./")
    target = f"{folder}/{plain}" if bare and folder else plain
    new = file_names.portable(file_names.place(library, target, "rename_to"), "rename_to")
    write_checks.check_writable(new, "rename_to")
    if new != path and library.files.scan_one(new) != ABSENT and new.lower() != path.lower():
        raise ValidationError("rename_to", f"{new} exists", "Give another path, or delete that document first.")
    return new
