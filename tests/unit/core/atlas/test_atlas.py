"""The project's whole graph holds every link that following links one by one finds, and follows what changes."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from autology.core.atlas.atlas import TAG, Atlas, Chart
from autology.core.atlas.path import find
from autology.core.atlas.stats import stats
from autology.core.documents.document import tag_id
from autology.core.documents.explore import explore
from autology.core.documents.library import Library
from autology.wire.project import Project
from tests.unit.adoption_kit import adopted
from tests.unit.cli_kit import autology
from tests.unit.collections_kit import VAULT


def opened(root: Path) -> tuple[Library, Atlas]:
    project = Project(str(root))
    return project.library, project.atlas


def ways(chart: Chart) -> set[tuple[str, str, str]]:
    graph = chart.network
    return {
        (graph.names[v], graph.types[graph.labels[at] >> 1], graph.names[graph.ends[at]])
        for v in range(len(graph))
        for at in range(graph.offsets[v], graph.offsets[v + 1])
        if not graph.labels[at] & 1
    }


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "docs").mkdir(parents=True)
    for name, text in {
        "one": "---\nrelated: [two, nowhere]\n---\n# One\n\n"
        "[[Two]] [text](two.md) #tagged\n\n<!-- tags: [LEVEL: high] -->\n",
        "two": "---\naliases: [Second]\n---\n# Two\n\n[[one]] tag-example\n\n<!-- tags: [OWNER: [[one]]] -->\n",
    }.items():
        (root / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
    for title, content, tags in (
        ("First note", "See [[Second]], [[Other note]] and [[nobody]].", "tagged,Own tag"),
        ("Other note", "See [it](docs/one.md) and [[first note]].", ""),
    ):
        extra = ["--tags", tags] if tags else []
        arguments = ["capture", "--title", title, "--content", content, "--type", "concept"]
        assert autology(*arguments, *extra, project=root) == 0
    return root


def agree(library: Library, atlas: Atlas) -> int:
    """Compare the whole graph with what explore_links tells of each vertex; return how many links were compared."""
    chart = atlas.read_current(lambda chart: chart)
    every = ways(chart)
    compared = 0
    for number, name in enumerate(chart.network.names):
        if chart.types[number] == TAG:
            continue
        result = {(e.source, e.type, e.target) for e in explore(library, name, direction="out").edges}
        own = {way for way in every if way[0] == name and not (way[2].startswith("#") and len(name) == 36)}
        known = {way for way in result if way[2] in chart.network.numbers and way[0] != way[2]}
        assert {way for way in own if not way[2].startswith("#")} == known
        tags = {way[2] for way in own if way[2].startswith("#")}
        assert tags <= {f"#{tag_id(way[2])}" for way in result - known}
        compared += len(own)
    return compared


def test_the_atlas_holds_the_links_that_exploring_finds(vault: Path) -> None:
    library, atlas = opened(vault)
    assert agree(library, atlas) >= 8
    chart = atlas.read_current(lambda chart: chart)
    by_title = {vertex.title: vertex.id for vertex in atlas.displayed(chart, range(len(chart.network))).values()}
    every = ways(chart)
    first, other = by_title["First note"], by_title["Other note"]
    assert {way for way in every if way[0] == first} == {
        (first, "CITES", "docs/two.md"), (first, "CITES", other), (first, "TAGGED_AS", "#tagged"),
        (first, "TAGGED_AS", "#own-tag"),
    }  # fmt: skip
    assert ("docs/one.md", "LEVEL", "#high") in every
    assert ("docs/two.md", "OWNER", "docs/one.md") in every
    assert ("docs/two.md", "EXEMPLIFIES", "#example") in every
    assert {edge.target for edge in chart.dangling} == {"nowhere", "nobody"}


def test_a_vault_in_folders_holds_the_links_that_exploring_finds(tmp_path: Path) -> None:
    shutil.copytree(VAULT, tmp_path / "docs")
    library, atlas = opened(tmp_path)
    assert agree(library, atlas) == 39  # the folder of templates is left out
    chart = atlas.read_current(lambda chart: chart)
    assert Counter(type for _, type, _ in ways(chart)) == {"CITES": 30, "TAGGED_AS": 9}
    assert {edge.target for edge in chart.dangling} == {
        *("spelt", "stone-oven", "2031-02-04", "docs/methods/oven-manual.md", "docs/templates/daily.md"),
    }


def test_a_change_of_a_file_is_seen_by_the_next_question(vault: Path) -> None:
    library, atlas = opened(vault)
    before = stats(atlas)
    assert stats(atlas) == before
    (vault / "docs" / "nowhere.md").write_text("# Here now\n\n[[one]]\n", encoding="utf-8")
    after = stats(atlas)
    assert (after.vertices, after.dangling) == (before.vertices + 1, before.dangling - 1)
    (vault / "docs" / "nowhere.md").unlink()
    assert stats(atlas) == before
    del library


def test_the_atlas_is_rebuilt_only_after_a_change(vault: Path) -> None:
    _, atlas = opened(vault)
    first = atlas.read_current(lambda chart: chart)
    assert atlas.read_current(lambda chart: chart) is first


def test_a_document_is_linked_to_the_note_whose_title_it_names(vault: Path) -> None:
    text = "# Manual\n\nRead [[First note]], [[other NOTE]] and [[nobody]].\n"
    (vault / "docs" / "manual.md").write_text(text, encoding="utf-8")
    library, atlas = opened(vault)
    assert agree(library, atlas) >= 10
    chart = atlas.read_current(lambda chart: chart)
    by_title = {vertex.title: vertex.id for vertex in atlas.displayed(chart, range(len(chart.network))).values()}
    first, other = by_title["First note"], by_title["Other note"]
    links = {("docs/manual.md", "CITES", first), ("docs/manual.md", "CITES", other)}
    assert {way for way in ways(chart) if way[0] == "docs/manual.md"} == links
    assert {edge.target for edge in chart.dangling if edge.source == "docs/manual.md"} == {"nobody"}
    incoming = {(e.source, e.type, e.target) for e in explore(library, first, direction="in").edges}
    assert ("docs/manual.md", "CITES", first) in incoming


def test_a_title_of_two_notes_leads_to_neither(vault: Path) -> None:
    arguments = ["capture", "--title", "First note", "--content", "Another one of that name.", "--type", "issue"]
    assert autology(*arguments, project=vault) == 0
    (vault / "docs" / "manual.md").write_text("# Manual\n\n[[First note]]\n", encoding="utf-8")
    _, atlas = opened(vault)
    chart = atlas.read_current(lambda chart: chart)
    assert not {way for way in ways(chart) if way[0] == "docs/manual.md"}


def test_a_record_that_names_another_by_its_file_has_a_relation_and_no_broken_link(tmp_path: Path) -> None:
    adopted(tmp_path, "nygard")
    file = tmp_path / "docs/adr/0001-keep-orders-in-postgresql.md"
    link = "See [the queue](0002-send-mail-through-a-queue.md).\n"
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{link}", encoding="utf-8")
    library, atlas = opened(tmp_path)
    chart = atlas.read_current(lambda chart: chart)
    assert chart.dangling == ()
    titles = {vertex.title: vertex.id for vertex in atlas.displayed(chart, range(len(chart.network))).values()}
    one, other = titles["Keep orders in PostgreSQL"], titles["Send mail through a queue"]
    assert {way for way in ways(chart) if way[0] == one and not way[2].startswith("#")} == {(one, "relates_to", other)}
    assert {edge.target for edge in explore(library, one).edges if edge.source == one} == {other}


def test_a_path_over_relations_follows_a_record_that_amends_another(tmp_path: Path) -> None:
    adopted(tmp_path, "nygard")
    file = tmp_path / "docs/adr/0002-send-mail-through-a-queue.md"
    link = "Amends [1](0001-keep-orders-in-postgresql.md).\n"
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{link}", encoding="utf-8")
    _, atlas = opened(tmp_path)
    chart = atlas.read_current(lambda chart: chart)
    titles = {vertex.title: vertex.id for vertex in atlas.displayed(chart, range(len(chart.network))).values()}
    one, other = titles["Keep orders in PostgreSQL"], titles["Send mail through a queue"]
    for relation in ("relates_to", "amends"):
        assert [step.type for step in find(atlas, one, other, 2, [relation]).links] == ["amends"]
