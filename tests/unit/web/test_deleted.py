"""The address of a deleted note says so, by whatever part of its id it names the note."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core.nodes import capture
from autology.model.errors import NotFoundError
from autology.web import editing
from autology.web.project import PageProject
from autology.web.reading import opened


@pytest.mark.parametrize("length", [8, 36])
def test_a_deleted_note_is_opened_as_deleted_until_it_is_restored(tmp_path: Path, length: int) -> None:
    page = PageProject(str(tmp_path))
    id = capture.capture(page.graph, capture.Material("Orders", "In PostgreSQL.", "concept")).node.id
    editing.delete(page, id)
    reply = opened(page, id[:length])
    assert (reply["kind"], reply["id"], reply["title"]) == ("deleted", id, "Orders")
    assert reply["deleted"]
    editing.restore(page, id)
    assert opened(page, id[:length])["kind"] == "node"


@pytest.mark.parametrize("id", ["", "0000", "00000000", "../../etc/passwd"])
def test_an_id_that_no_note_has_or_had_is_not_found(tmp_path: Path, id: str) -> None:
    page = PageProject(str(tmp_path))
    with pytest.raises(NotFoundError):
        opened(page, id)
