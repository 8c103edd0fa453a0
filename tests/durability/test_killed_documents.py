"""Killed at any call, a change to documents has happened wholly or not at all; nothing is left beside them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from autology.core.documents import create, delete_restore, tagging, update
from autology.core.documents.library import Library
from autology.core.documents.sources import Choice
from autology.core.documents.update import DocumentEdit
from autology.files.documents import DocumentFolder
from autology.model.entry import DOCUMENT
from tests.durability.killing import course, killed_at
from tests.fakes.project import on_disk

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a child that dies midway is made by fork")

POINTS = int(os.environ.get("AUTOLOGY_KILL_POINTS", "10"))
FILES = {
    "docs/a.md": "# A\n\n[[b]] and [b](b.md)\n",
    "docs/b.md": "# B\n\n[a](a.md)\n",
    "notes/c.md": "[[b#x|shown]] [up](../docs/b.md)\n",
}
ACTIONS: dict[str, Callable[[Library], object]] = {
    "create": lambda library: create.create_document(library, "docs/new.md", "# New\n\n[[a]]\n"),
    "update": lambda library: update.update_document(library, "a", DocumentEdit(content="# A\n\nchanged\n")),
    "rename": lambda library: update.update_document(library, "b", DocumentEdit(rename_to="notes/moved b.md")),
    "delete": lambda library: delete_restore.delete_document(library, "b"),
    "restore": lambda library: delete_restore.restore(library, "gone"),
    "tag": lambda library: tagging.inject_tags(library, "docs/a.md", ["K: v"]),
}


def a_library(root: Path) -> Library:
    return Library(on_disk(root), DocumentFolder(str(root), Choice(("docs", "notes", "."))))


def begun(root: Path) -> Path:
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    (root / "docs" / "gone.md").write_text("# Gone\n", encoding="utf-8")
    delete_restore.delete_document(a_library(root), "gone")
    return root


def state(root: Path) -> dict[str, bytes]:
    kept = [*root.glob("docs/*"), *root.glob("notes/*"), *root.glob(".autology/trash/documents/*")]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in kept}


@pytest.mark.parametrize("name", ACTIONS)
def test_a_change_to_documents_that_is_killed_has_happened_or_has_not(tmp_path: Path, name: str) -> None:
    action = ACTIONS[name]
    template = begun(tmp_path / "template")
    before = state(template)
    whole = shutil.copytree(template, tmp_path / "whole")
    stops = course(lambda: action(a_library(whole))).stops(POINTS)
    after = state(whole)
    assert before != after
    results = set()
    for stop in stops:
        root = shutil.copytree(template, tmp_path / f"at-{stop}")
        killed_at(stop, lambda root=root: action(a_library(root)))  # type: ignore[misc]
        library = a_library(root)
        with library.graph.files.locked():
            pass  # whoever writes next completes it
        result = state(root)
        assert result in (before, after), stop
        results.add(result == after)
        library.refresh(walk=True)
        documents = {path for path in result if not path.startswith(".autology")}
        assert {named.path for named in library.graph.index.named(DOCUMENT)} == documents
        shutil.rmtree(root)
    assert results == {True, False}
