"""What is edited on the local page goes to the hub by itself, as what a tool or a command writes does."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.hub.model import Space
from autology.hub.sync import background_retry, project_files
from autology.model.entry import NODE
from autology.web import calls
from autology.web.project import PageProject
from autology.wire.project import Project
from tests.hub import fixtures
from tests.hub.servers import Server


def pushed(root: str, space: Space) -> None:
    """Share the project's files once, as `autology hub push` does: from then on changes go by themselves."""
    project = Project(root)
    hub = project.team.hub()
    assert hub is not None
    library, own = project.library, project.memories
    library.refresh(walk=True)
    own.refresh(walk=True)
    project_files.share_all(
        hub, own.shared(), library.graph.readers, project.team.share_log(space), project.branch, None
    )
    hub.close()


def test_edits_on_the_page_reach_the_hub_soon(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = fixtures.a_space("shop")
    hub = fixtures.a_hub(server, space)
    monkeypatch.setenv("AUTOLOGY_HUB_DSN", server.dsn())
    monkeypatch.setenv("CORTEX_ORG", space.org)
    monkeypatch.setenv("CORTEX_PROJECT", space.project)
    monkeypatch.setattr(background_retry, "PAUSE", 0.05)
    page = PageProject(str(tmp_path))
    first = calls.answer(page, "create", {"title": "Use JWT for sessions", "content": "Tokens expire."})
    fixtures.wait_until(lambda: not page.team.sender.pending)
    assert hub.index.stamps(NODE) == {}  # nothing of a project that nobody pushed
    pushed(str(tmp_path), space)
    second = calls.answer(page, "create", {"title": "Rotate keys", "content": "In May."})
    fixtures.wait_until(lambda: hub.index.by_ids([second["id"]]).keys() == {second["id"]})
    calls.answer(page, "delete", {"id": first["id"]})
    fixtures.wait_until(lambda: not hub.index.by_ids([first["id"]]))
    undone = calls.answer(page, "restore", {"id": first["id"]})
    assert undone["id"] == first["id"]
    fixtures.wait_until(lambda: len(hub.index.stamps(NODE)) == 2)
    fixtures.wait_until(lambda: not page.team.sender.pending)
    hub.close()
