"""Checks for the file name and path of a document that is created, renamed or restored."""

from __future__ import annotations

import re

from autology.core.content.files import ABSENT
from autology.core.documents.library import Library
from autology.model.errors import DocumentMissingError, ValidationError
from autology.text.slug import MARKDOWN

_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|\Z)", re.IGNORECASE)
_ELSEWHERE_UNFIT = re.compile(r'[<>:"|?*]|[. ]\Z')


def place(library: Library, path_text: str, name: str) -> str:
    """Return the path for a document from a caller: in a source, and with a markdown ending.

    Raises:
        ValidationError: it lies outside of the sources, or is not a path; *name* is the argument.
    """
    path = library.relative(path_text)
    parts = [part for part in path.split("/") if part not in ("", ".")]
    sources = ", ".join(f"{source}/" if source not in (".", "**") else "the root" for source in library.files.sources)
    fits = f"Give a path in the project's sources ({sources}), as in 'docs/guide.md'."
    odd = re.search(r"[\x00-\x1f\x7f\ud800-\udfff]", path) or len(path) > 1_000
    if not parts or odd or path.startswith(("/", "~")) or re.match(r"[A-Za-z]:", path) or ".." in parts:
        raise ValidationError(name, f"'{shortened(path_text)}' is not a path in the project", fits)
    plain = "/".join(parts)
    if not plain.lower().endswith(MARKDOWN):
        if "." in parts[-1]:
            raise ValidationError(name, f"'{shortened(path_text)}' is not a markdown file", "Let its name end in .md.")
        plain += ".md"
    if library.files.source_of(plain) is None:
        raise ValidationError(name, f"'{shortened(path_text)}' lies in no source, or is passed over", fits)
    return plain


def portable(path: str, name: str) -> str:
    """Return *path* if every system can hold a file of that name. Raises ValidationError: *name* is the argument."""
    for part in path.split("/"):
        if _DEVICE.match(part) or _ELSEWHERE_UNFIT.search(part):
            problem = f"Windows cannot hold '{shortened(part)}': the project could not be checked out there"
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
        raise DocumentMissingError(shortened(path_text))
    return path


def shortened(text: str) -> str:
    """Return *text* for a message: printable, at most 200 characters."""
    plain = "".join(ch if ch.isprintable() else "?" for ch in text[:200])
    return plain + ("..." if len(text) > 200 else "")
