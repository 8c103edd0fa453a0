"""Checks for every change to a document: path, content, tags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256

from autology.core.content.files import ABSENT
from autology.core.documents.library import Library
from autology.core.documents.lookup import find
from autology.model.entry import DOCUMENT
from autology.model.errors import DocumentMissingError, ValidationError
from autology.model.hit import Source
from autology.model.next_step import Action, Sentence, do
from autology.model.options import DOCUMENT_TAGS
from autology.text.redaction import secrets_in
from autology.text.slug import MARKDOWN

CONTENT_LIMIT = 1_000_000
"""Maximum characters that one call may write."""
TAG_LENGTH = 200
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff,<>\[\]`]|--")

_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|\Z)", re.IGNORECASE)
_ELSEWHERE_UNFIT = re.compile(r'[<>:"|?*]|[. ]\Z')


def document_source(library: Library, id: str, instead: Action) -> Source:
    """Return the only document that *id* names; a node is refused, with *instead* as the next step."""
    source = find(library, id, alone=True)
    if source.type != DOCUMENT:
        raise ValidationError("id", f"'{id[:80]}' is a node, not a document", Sentence("Use ", do(instead), " for it."))
    return source


def place(library: Library, path_text: str, name: str) -> str:
    """Return the path for a document from a caller: in a source, and with a markdown ending.

    Raises:
        ValidationError: it lies outside of the sources, or is no path; *name* is the argument.
    """
    path = library.relative(path_text)
    parts = [part for part in path.split("/") if part not in ("", ".")]
    sources = ", ".join(f"{source}/" if source not in (".", "**") else "the root" for source in library.files.sources)
    fits = f"Give a path in the project's sources ({sources}), as in 'docs/guide.md'."
    odd = re.search(r"[\x00-\x1f\x7f\ud800-\udfff]", path) or len(path) > 1_000
    if not parts or odd or path.startswith(("/", "~")) or re.match(r"[A-Za-z]:", path) or ".." in parts:
        raise ValidationError(name, f"'{_shown(path_text)}' is no path in the project", fits)
    plain = "/".join(parts)
    if not plain.lower().endswith(MARKDOWN):
        if "." in parts[-1]:
            raise ValidationError(name, f"'{_shown(path_text)}' is no markdown file", "Let its name end in .md.")
        plain += ".md"
    if library.files.source_of(plain) is None:
        raise ValidationError(name, f"'{_shown(path_text)}' lies in no source, or is passed over", fits)
    return plain


def portable(path: str, name: str) -> str:
    """Return *path* if every system can hold a file of that name. Raises ValidationError: *name* is the argument."""
    for part in path.split("/"):
        if _DEVICE.match(part) or _ELSEWHERE_UNFIT.search(part):
            problem = f"Windows cannot hold '{_shown(part)}': whoever checks the project out there fails"
            raise ValidationError(name, problem, "Use another name.")
    return path


def existing(library: Library, path_text: str, name: str) -> str:
    """Return the path of an existing document.

    Raises:
        ValidationError: it lies outside of the sources.
        DocumentMissingError: there is no such file.
    """
    path = place(library, path_text, name)
    if library.files.scan_one(path) == ABSENT:
        raise DocumentMissingError(_shown(path_text))
    return path


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
            raise ValidationError("tags", f"'{_shown(tag)}' does not fit", fits)
        if secrets := secrets_in(plain):
            fits = "Leave it out: documents are read by everybody."
            raise ValidationError("tags", f"one of them holds a secret ({secrets[0].kind})", fits)
    return tuple(tag.strip() for tag in tags)


def hash_of(data: bytes) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    return sha256(data).hexdigest()


def _shown(text: str) -> str:
    plain = "".join(ch if ch.isprintable() else "?" for ch in text[:200])
    return plain + ("..." if len(text) > 200 else "")
