"""A real vault of linked notes is indexed with its links resolved, and its graph holds every one of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autology.model.entry import DOCUMENT
from autology.text.markdown.links import CITES
from tests.unit.core.atlas.test_atlas import agree, opened
from tests.unit.core.documents.test_library import a_library, hit_ids, known, targets
from trials.texts import CORPORA


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    shutil.copytree(CORPORA / "foam-docs", tmp_path / "docs")
    return tmp_path


def test_a_real_vault_is_indexed_with_its_links_resolved(vault: Path) -> None:
    library = a_library(vault)
    everything = known(library)
    assert len(everything) > 80
    edges = [edge for edge in library.graph.index.edges(kind=DOCUMENT) if edge.type == CITES]
    resolved = [edge for edge in edges if edge.target in everything.values()]
    assert len(resolved) > 150
    assert len(edges) - len(resolved) < 10
    assert library.graph.index.faults(DOCUMENT) == []
    assert hit_ids(library, "wikilinks")
    assert targets(library, "user/features/wikilinks", "in")


def test_a_real_vault_holds_the_links_that_exploring_finds(vault: Path) -> None:
    library, atlas = opened(vault)
    assert agree(library, atlas) > 150
