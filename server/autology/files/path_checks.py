"""Checks that paths which a repository may influence stay in the project: we write ``.autology`` and documents only."""

from __future__ import annotations

import os
from collections.abc import Callable

from autology.model.errors import StorageError
from autology.text.slug import MARKDOWN

TOP = ".autology"
SIDECARS = (".yaml", ".yml", ".toml")
"""The endings of the second files of records, such as kep.yaml."""


def check(root: str, folder: str) -> None:
    """Raise StorageError unless *folder* is ``.autology`` or below, and no link in it leads out of *root*."""
    parts = folder.split("/")
    if parts[0] != TOP or any(_is_unsafe(part) for part in parts):
        raise StorageError(folder, "is not a path in the project's .autology", "Give the path of a note.")
    _refuse_links_out(root, parts)


def check_file(root: str, path: str, is_record: Callable[[str], bool] = lambda _: False) -> None:
    """Raise StorageError unless *path* is in ``.autology``, a document, or *is_record*; links as for :func:`check`."""
    if path.startswith(f"{TOP}/"):
        check(root, path.rpartition("/")[0])
    elif is_record(path):
        check_record(root, path)
    else:
        check_document(root, path)


def check_document(root: str, path: str) -> None:
    """Raise StorageError unless *path* is a markdown file outside ``.autology``, and no link in it leads out."""
    if not path.lower().endswith(MARKDOWN):
        raise StorageError(path, "is not the path of a markdown file in the project", "Give one like 'docs/guide.md'.")
    check_text(root, path)


def check_text(root: str, path: str) -> None:
    """Raise StorageError unless *path* lies in the project, outside ``.autology``, and no link in it leads out."""
    parts = path.split("/")
    if any(part.lower() in (TOP, ".git") or _is_unsafe(part) for part in parts):
        raise StorageError(path, "is not the path of a text in the project", "Give one like 'docs/guide.md'.")
    _refuse_links_out(root, parts)


def check_record(root: str, path: str) -> None:
    """Raise StorageError unless *path* is a text outside ``.autology``, or a second file of one; links as there."""
    from autology.text.records.outline import form_of  # only a change of a record needs it

    parts = path.split("/")
    inner = any(part.lower() in (TOP, ".git") for part in parts)
    is_text = form_of(path) is not None or path.lower().endswith((*MARKDOWN, *SIDECARS))
    if inner or any(_is_unsafe(part) for part in parts) or not is_text:
        raise StorageError(path, "is not the path of a text in the project", "Give one like 'docs/adr/0001.md'.")
    _refuse_links_out(root, parts)


def check_folder(root: str, folder: str) -> None:
    """Raise StorageError unless *folder* lies in the project, and no link in it leads out."""
    parts = folder.split("/") if folder else []
    if any(_is_unsafe(part) for part in parts):
        raise StorageError(folder, "is not a folder of the project", "Give one like 'docs/adr'.")
    _refuse_links_out(root, parts)


def _refuse_links_out(root: str, parts: list[str]) -> None:
    at = root
    for depth, part in enumerate(parts, 1):
        at += os.sep + part  # no os.path.join: a capture reads ten files
        if os.path.islink(at):
            real, inside = os.path.realpath(at), os.path.realpath(root)
            if not real.startswith(os.path.join(inside, "")):
                link = "/".join(parts[:depth])
                raise StorageError(link, "leads out of the project through a link", "Replace it with a folder.")


def _is_unsafe(part: str) -> bool:
    return part in ("", ".", "..") or "\0" in part or (os.sep != "/" and any(sign in part for sign in "\\:"))
