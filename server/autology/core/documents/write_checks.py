"""Checks for every change to a document: path, content, tags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256

from autology.core.documents.file_names import shortened
from autology.core.documents.library import Library
from autology.core.documents.lookup import find
from autology.model.argument_limits import DOCUMENT_TAGS
from autology.model.entry import DOCUMENT
from autology.model.errors import ValidationError
from autology.model.hit import Source
from autology.model.next_step import Action, Sentence, do
from autology.text.documents.client_memory import is_client_memory, is_of_client
from autology.text.redaction import secrets_in
from autology.text.slug import MARKDOWN

CONTENT_LIMIT = 1_000_000
"""Maximum characters that one call may write."""
TAG_LENGTH = 200
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff,<>\[\]`]|--")


def document_source(library: Library, id: str, instead: Action) -> Source:
    """Return the only document that *id* names; a node is refused, with *instead* as the next step."""
    source = find(library, id, alone=True)
    if source.kind != DOCUMENT:
        raise ValidationError("id", f"'{id[:80]}' is a node, not a document", Sentence("Use ", do(instead), " for it."))
    check_writable(source.path, "id")
    return source


def check_writable(path: str, name: str) -> None:
    """Raise ValidationError if no tool changes the document at *path*; *name* is the argument that names it."""
    if is_writable(path):
        return
    if is_client_memory(path):
        problem = f"{path} is the client's own memory; it is read, and never changed here"
        raise ValidationError(name, problem, "Ask the client to change what it remembers.")
    if is_of_client(path):
        problem = f"{path} instructs coding agents; it is read, and never changed here"
        raise ValidationError(name, problem, "Show the user the change, and edit the file itself if they agree.")
    problem = f"{path} is not markdown, the only form that is written here"
    raise ValidationError(name, problem, "Edit the file itself; the next search finds the change.")


def is_writable(path: str) -> bool:
    """Whether tools change the document at *path*: it is markdown, and nothing that the client loads."""
    return path.lower().endswith(MARKDOWN) and not is_of_client(path)


def checked_content(content: str) -> str:
    """Return *content* if a file can contain it. Raises ValidationError."""
    if len(content) > CONTENT_LIMIT:
        fits = f"Keep it under {CONTENT_LIMIT:,}: split it into several documents."
        raise ValidationError("content", f"has {len(content):,} characters", fits)
    if unstorable := re.search(r"[\x00\ud800-\udfff]", content):
        where = f"holds U+{ord(unstorable[0]):04X} at character {unstorable.start()}"
        raise ValidationError("content", where, "Remove it: text files cannot carry it.")
    return content


def checked_tags(tags: Sequence[str], needed: bool = False) -> tuple[str, ...]:
    """Return *tags* if a tag block can contain them. Raises ValidationError."""
    if needed and not tags:
        raise ValidationError("tags", "is empty", "Give at least one, as in 'DOMAIN: machine-learning'.")
    if len(tags) > DOCUMENT_TAGS:
        raise ValidationError("tags", f"more than {DOCUMENT_TAGS} tags", "Keep those that someone would search for.")
    for tag in tags:
        plain = tag.strip()
        if not plain or plain.endswith(":") or len(plain) > TAG_LENGTH or _UNFIT.search(plain):
            fits = "Write 'KEY: value' or a word, without commas, brackets and line ends."
            raise ValidationError("tags", f"'{shortened(tag)}' does not fit", fits)
        if secrets := secrets_in(plain):
            fits = "Leave it out: documents are read by everybody."
            raise ValidationError("tags", f"one of them holds a secret ({secrets[0].kind})", fits)
    return tuple(tag.strip() for tag in tags)


def hash_of(data: bytes) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    return sha256(data).hexdigest()
