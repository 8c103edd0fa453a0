"""The whole acceptance run of the client, on the checkout and on what users install."""

from __future__ import annotations

import json
from pathlib import Path

from tests.e2e.acceptance import Report, accept
from tests.e2e.driving import ROOT, Claude, tool

CHECKS = 27
"""Fewer would mean that something was not looked at."""


def test_the_checkout_passes_every_check(client: Path, release: Path, tmp_path: Path) -> None:
    assert (ROOT / "dist" / "autology.pyz").exists(), "writing the release builds it"
    passed(accept(client, ROOT, tmp_path))


def test_a_release_that_is_installed_passes_every_check(client: Path, release: Path, tmp_path: Path) -> None:
    passed(accept(client, release, tmp_path, install=True))


def passed(report: Report) -> None:
    assert report.failed == []
    assert len(report.checks) >= CHECKS


def test_a_release_is_a_marketplace_and_what_is_installed_from_it_answers_at_the_first_start(
    client: Path, release: Path, tmp_path: Path
) -> None:
    claude = Claude(client, tmp_path / "user", None)
    for words in (("marketplace", "add", str(release)), ("install", "autology@autology")):
        done = claude.harness.cli("plugin", *words)
        assert done.returncode == 0, done.stdout + done.stderr
    [listed] = json.loads(claude.harness.cli("plugin", "list", "--json").stdout)
    assert (listed["id"], listed["enabled"]) == ("autology@autology", True)
    assert not (claude.home / ".cache" / "autology").exists()
    # Nothing is unpacked yet: the server answers while that is done.
    session = claude.session({"status": tool("autology_status")})
    assert session.after["status"].data["totalNodes"] == 0
    assert not (claude.project / ".autology").exists()
