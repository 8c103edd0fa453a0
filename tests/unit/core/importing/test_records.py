"""Decision records come in whole, once, related to each other, and follow their originals."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autology.core.importing import apply as applying
from autology.core.importing import record_matching, record_node, record_plan
from autology.core.importing.import_plan import ImportPlan
from autology.core.nodes.delete_restore import delete
from autology.core.nodes.graph import Graph
from autology.core.nodes.relate import unrelate
from autology.model.errors import StorageError
from autology.model.node import Node, NodeStatus, NodeType, RelationType, is_uuid4
from autology.render.next_steps import for_terminal
from autology.wire.project import Project
from tests.unit.cli_kit import MADR, NYGARD, RECORDS, git, records, repository


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    records(root / "docs" / "adr")
    records(root / "src", {"orders.py": "orders = []\n"})
    return repository(root)


def planned(root: Path, *folders: str) -> ImportPlan:
    requests = [str(root / folder) for folder in folders or ("docs/adr",)]
    return record_plan.plan(
        Project(str(root)).graph, Project(str(root)).history, Project(str(root)).originals, requests
    )


def imported(root: Path, *folders: str) -> ImportPlan:
    plan = planned(root, *folders)
    applying.apply(Project(str(root)).graph, plan)
    return plan


def nodes(root: Path) -> dict[str, Node]:
    """Every imported node, by its file's name."""
    return {Path(path).name: stored.entry for path, stored in record_matching.imported(graph(root)).items()}


def graph(root: Path) -> Graph:
    return Project(str(root)).graph


def everything_under(root: Path) -> dict[str, bytes]:
    return {str(f.relative_to(root)): f.read_bytes() for f in sorted((root / ".autology/nodes").rglob("*.md"))}


# ---- what a record becomes -----------------------------------------------------------------------


def test_a_record_becomes_a_decision_with_all_that_it_says(project: Path) -> None:
    imported(project)
    node = nodes(project)["0001-keep-orders-in-postgresql.md"]
    assert (node.type, node.title) == (NodeType.DECISION, "Keep orders in PostgreSQL")
    assert (node.status, node.decision_status) == (NodeStatus.ACTIVE, "accepted")
    assert (node.created, node.modified) == ("2019-03-04T00:00:00Z", "2022-01-01T10:00:00Z")
    assert (node.source, node.confidence) == ("import_adr", 0.9)
    assert node.references == ("docs/adr/0001-keep-orders-in-postgresql.md", "src/orders.py")
    assert node.extra["record_number"] == "1"
    assert is_uuid4(node.id)


def test_a_tag_that_does_not_fit_is_named_and_left_in_the_text(project: Path) -> None:
    plan = imported(project)
    node = nodes(project)["0002-send-mail-through-a-queue.md"]
    assert node.tags == ("message-queue",)
    assert {a.dropped_tags for a in plan.additions} == {(), ("文書",)}
    assert "文書" in str(node.extra["origin_frontmatter"])


def test_every_original_is_rebuilt_from_its_node_to_the_letter(tmp_path: Path) -> None:
    files = {
        **RECORDS,
        "crlf.md": NYGARD.replace("\n", "\r\n"),
        "bom.md": "\ufeff" + MADR,
        "empty.md": "",
        "only-a-title.md": "# Something",
        "no-newline.md": "text without an end",
        "odd.md": "---\nnot: [closed\n---\n\n\n# T\n\n## Related\n",
        "marked.md": "# T\n\n<!-- autology:related -->\n## Related\n<!-- /autology:related -->\n",
        "long.md": f"# {'word ' * 60}\n\ntext\n",
        "tabs.md": "\t# x\n\x0c\x85\u2028 end \n\n\n",
    }
    records(tmp_path / "adr", files)
    plan = imported(tmp_path, "adr")
    assert not plan.refused
    result = nodes(tmp_path)
    assert result.keys() == files.keys()
    for name, node in result.items():
        assert record_node.text_of(node) == files[name], name


def test_a_title_over_the_limit_is_cut_at_a_word_and_stands_whole_in_the_content(tmp_path: Path) -> None:
    title = "Use " + "a rather long description of what is meant " * 4
    records(tmp_path / "adr", {"0001-x.md": f"# 1. {title.strip()}\n\n## Decision\n\nYes.\n"})
    imported(tmp_path, "adr")
    (node,) = nodes(tmp_path).values()
    assert len(node.title) <= 100
    assert title.startswith(node.title.rstrip("…").rstrip() + " ")
    assert title.strip() in node.content


def test_documents_that_are_no_records_are_typed_by_their_words(tmp_path: Path) -> None:
    readme = "# Decisions\n\nWe decided to keep decision records: context, options, rationale.\n"
    records(tmp_path / "adr", {**RECORDS, "README.md": readme})
    plan = imported(tmp_path, "adr")
    assert [a.origin for a in plan.additions if not a.is_record] == ["adr/README.md"]
    assert nodes(tmp_path)["README.md"].type is not NodeType.DECISION


def test_the_text_of_a_record_is_not_altered_even_if_it_holds_a_secret(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    records(tmp_path / "adr", {"0001-x.md": f"# 1. Use a token\n\n## Decision\n\n{secret}\n"})
    imported(tmp_path, "adr")
    assert secret in nodes(tmp_path)["0001-x.md"].content


@pytest.mark.parametrize("data", [b"# caf\xe9\n", b"\xff\xfe#\x00 \x00\x00", b"a\x00b"])
def test_a_file_that_no_node_can_hold_is_refused_by_name(tmp_path: Path, data: bytes) -> None:
    records(tmp_path / "adr")
    (tmp_path / "adr" / "0009-odd.md").write_bytes(data)
    plan = imported(tmp_path, "adr")
    assert [r.path for r in plan.refused] == ["adr/0009-odd.md"]
    assert len(plan.additions) == 4


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_links_are_not_followed_out_of_the_folder(tmp_path: Path) -> None:
    records(tmp_path / "secret", {"0005-private.md": "# Private\n"})
    root = tmp_path / "project"
    records(root / "adr")
    (root / "adr" / "0005-link.md").symlink_to(tmp_path / "secret" / "0005-private.md")
    (root / "adr" / "more").symlink_to(tmp_path / "secret")
    plan = planned(root, "adr")
    assert len(plan.additions) == 4
    assert [(r.path, "link" in r.reason) for r in plan.refused] == [("adr/0005-link.md", True)]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="there is no such folder"):
        planned(tmp_path, "docs/nowhere")


# ---- how records are related ---------------------------------------------------------------------


def test_a_supersession_said_on_either_side_is_one_relation_from_the_newer_to_the_older(project: Path) -> None:
    plan = imported(project)
    result = nodes(project)
    newer, older = result["0002-send-mail-through-a-queue.md"], result["0003-send-mail-at-once.md"]
    assert [(r.type, r.target) for r in newer.relations] == [(RelationType.SUPERSEDES, older.id)]
    assert "Supersedes" in (newer.relations[0].description or "")
    assert not older.relations
    assert (older.status, older.decision_status) == (NodeStatus.SUPERSEDED, "superseded")
    assert plan.supersessions == 1
    assert f"- [[{older.id}|Send mail at once]]" in (project / newer.path).read_text(encoding="utf-8")


def test_a_supersession_named_only_in_the_newer_record_marks_the_older_one(tmp_path: Path) -> None:
    older = NYGARD.replace("# 1. Keep orders in PostgreSQL", "# 3. Send mail at once")
    records(tmp_path / "adr", {**RECORDS, "0003-send-mail-at-once.md": older})
    imported(tmp_path, "adr")
    assert nodes(tmp_path)["0003-send-mail-at-once.md"].status is NodeStatus.SUPERSEDED


@pytest.mark.parametrize(("status", "type"), [("rejected", "relates_to"), ("proposed", "supersedes")])
def test_an_undecided_record_supersedes_nothing(tmp_path: Path, status: str, type: str) -> None:
    older = NYGARD.replace("# 1. Keep orders in PostgreSQL", "# 3. Send mail at once")
    newer = MADR.replace("status: accepted", f"status: {status}")
    files = {"0002-send-mail-through-a-queue.md": newer, "0003-send-mail-at-once.md": older}
    records(tmp_path / "adr", files)
    imported(tmp_path, "adr")
    result = nodes(tmp_path)
    assert [r.type.value for r in result["0002-send-mail-through-a-queue.md"].relations] == [type]
    assert result["0003-send-mail-at-once.md"].status is NodeStatus.ACTIVE


def test_records_that_claim_to_supersede_each_other_do_so_once(tmp_path: Path) -> None:
    claim = "# {0}. Thing {0}\n\n## Status\n\nAccepted\n\nSupersedes [ADR-{1}](000{1}-x.md)\n\n## Decision\n\nYes.\n"
    files = {f"000{n}-x.md": claim.format(n, n % 3 + 1) for n in (1, 2, 3)}
    records(tmp_path / "adr", files)
    plan = imported(tmp_path, "adr")
    assert sorted(kind.value for _, kind, _ in plan.relations) == ["relates_to", "supersedes", "supersedes"]


def test_a_record_that_comes_later_is_related_to_those_that_are_in(tmp_path: Path) -> None:
    later = RECORDS["0002-send-mail-through-a-queue.md"]
    records(tmp_path / "adr", {name: text for name, text in RECORDS.items() if text is not later})
    imported(tmp_path, "adr")
    records(tmp_path / "more", {"0002-send-mail-through-a-queue.md": later.replace("](0003", "](../adr/0003")})
    plan = imported(tmp_path, "more")
    assert plan.supersessions == 1
    assert nodes(tmp_path)["0002-send-mail-through-a-queue.md"].relations


# ---- the second time -----------------------------------------------------------------------------


def test_a_second_run_changes_nothing(project: Path) -> None:
    imported(project)
    before = everything_under(project)
    plan = imported(project)
    assert not plan
    assert len(plan.unchanged) == len(RECORDS)
    assert everything_under(project) == before


def test_two_people_who_import_the_same_records_get_the_same_files(project: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    git(tmp_path, "clone", "-q", str(project), str(other))
    imported(project)
    imported(other)
    assert everything_under(project) == everything_under(other)
    assert len(everything_under(other)) == len(RECORDS)


def test_without_version_control_the_same_texts_get_the_same_ids(tmp_path: Path) -> None:
    for name in ("a", "b"):
        records(tmp_path / name / "adr")
        imported(tmp_path / name, "adr")
    assert {n.id for n in nodes(tmp_path / "a").values()} == {n.id for n in nodes(tmp_path / "b").values()}


def test_a_moved_record_is_recognised(project: Path) -> None:
    imported(project)
    before = nodes(project)
    (project / "docs/adr").rename(project / "docs/decisions")
    plan = imported(project, "docs/decisions")
    assert not plan.additions
    assert len(plan.moved) == len(RECORDS)
    after = nodes(project)
    assert {name: node.id for name, node in after.items()} == {name: node.id for name, node in before.items()}
    own = "docs/decisions/0001-keep-orders-in-postgresql.md"
    assert after["0001-keep-orders-in-postgresql.md"].references[0] == own
    assert not planned(project, "docs/decisions")


def test_a_record_that_was_moved_and_changed_is_recognised_by_its_title(project: Path) -> None:
    imported(project)
    before = nodes(project)["0001-keep-orders-in-postgresql.md"]
    (project / "docs/adr/0001-keep-orders-in-postgresql.md").unlink()
    records(project / "docs/adr", {"0007-keep-orders.md": NYGARD.replace("A server", "One more server")})
    plan = imported(project)
    assert (plan.additions, plan.changed) == ((), ("docs/adr/0007-keep-orders.md",))
    after = nodes(project)["0007-keep-orders.md"]
    assert (after.id, "One more server" in after.content) == (before.id, True)


def test_a_new_record_at_a_moved_ones_place_is_another_node(project: Path) -> None:
    imported(project)
    moved = nodes(project)["0001-keep-orders-in-postgresql.md"]
    folder = project / "docs/adr"
    (folder / "0001-keep-orders-in-postgresql.md").rename(folder / "0010-orders.md")
    imported(project)
    records(folder, {"0001-keep-orders-in-postgresql.md": NYGARD.replace("PostgreSQL", "MySQL")})
    plan = imported(project)
    assert len(plan.additions) == 1
    assert nodes(project)["0010-orders.md"].id == moved.id != plan.additions[0].node.id


def amended(project: Path, node: Node, **fields: Any) -> None:
    """Change an accepted record's node as a review with a reason may."""
    graph(project).change(lambda draft: draft.replace(draft.read(node.id), replace(node, **fields), amended=True))


def test_a_changed_original_updates_the_node_and_keeps_what_a_person_set(project: Path) -> None:
    imported(project)
    node = nodes(project)["0001-keep-orders-in-postgresql.md"]
    amended(project, node, tags=("orders",), title="Orders live in PostgreSQL")
    changed = NYGARD.replace("A server to run.", "A server to run, and backups.").replace("Accepted", "Deprecated")
    records(project / "docs/adr", {"0001-keep-orders-in-postgresql.md": changed})
    plan = imported(project)
    after = nodes(project)["0001-keep-orders-in-postgresql.md"]
    assert plan.changed == ("docs/adr/0001-keep-orders-in-postgresql.md",)
    assert "and backups" in after.content
    assert (after.title, after.tags) == ("Orders live in PostgreSQL", ("orders",))
    assert after.decision_status == "deprecated"
    assert record_node.text_of(after) == changed
    assert not planned(project)


def test_a_node_that_was_edited_is_left_when_its_original_changes(project: Path) -> None:
    imported(project)
    node = nodes(project)["0001-keep-orders-in-postgresql.md"]
    amended(project, node, content="We know better now.")
    records(project / "docs/adr", {"0001-keep-orders-in-postgresql.md": NYGARD + "\nMore.\n"})
    plan = imported(project)
    assert [(c.origin, c.id) for c in plan.conflicts] == [("docs/adr/0001-keep-orders-in-postgresql.md", node.id)]
    assert nodes(project)["0001-keep-orders-in-postgresql.md"].content == "We know better now."


def test_an_edited_node_with_an_unchanged_original_plans_nothing(project: Path) -> None:
    imported(project)
    amended(project, nodes(project)["0004-cache-prices.md"], content="Shorter.")
    assert not planned(project)


def test_a_relation_that_was_taken_back_stays_so_when_the_text_changes_elsewhere(project: Path) -> None:
    imported(project)
    result = nodes(project)
    newer, older = result["0002-send-mail-through-a-queue.md"], result["0003-send-mail-at-once.md"]
    unrelate(graph(project), newer.id, older.id, "supersedes")
    records(project / "docs/adr", {"0002-send-mail-through-a-queue.md": MADR + "\nMore.\n"})
    imported(project)
    assert not nodes(project)["0002-send-mail-through-a-queue.md"].relations


def test_a_deleted_node_is_not_brought_back_unasked(project: Path) -> None:
    imported(project)
    node = nodes(project)["0004-cache-prices.md"]
    delete(graph(project), node.id)
    plan = imported(project)
    assert not plan
    assert [r.path for r in plan.refused] == ["docs/adr/0004-cache-prices.md"]
    assert f"autology restore {node.id}" in for_terminal(plan.refused[0].reason)


def test_an_interrupted_import_keeps_whole_batches_and_the_next_run_completes_it(tmp_path: Path) -> None:
    files = {
        f"{n:04}-x.md": f"# {n}. Thing {n}\n\nRelated to [ADR-{251 - n}]({251 - n:04}-x.md)\n\n## Decision\n\nYes.\n"
        for n in range(1, 251)
    }
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for root in (whole, broken):
        records(root / "adr", files)
        for file in (root / "adr").iterdir():
            os.utime(file, (1_600_000_000, 1_600_000_000))
    imported(whole, "adr")

    def stopped(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        applying.apply(graph(broken), planned(broken, "adr"), stopped)
    assert len(everything_under(broken)) == 100
    imported(broken, "adr")
    assert everything_under(broken) == everything_under(whole)
    assert len(everything_under(whole)) == 250


# ---- from elsewhere ------------------------------------------------------------------------------


def test_records_from_outside_the_project_are_known_by_their_folder(tmp_path: Path) -> None:
    root = repository(tmp_path / "project")
    records(tmp_path / "elsewhere" / "adr")
    imported(root, "../elsewhere/adr")
    assert min(record_matching.imported(graph(root))) == "adr/0001-keep-orders-in-postgresql.md"
    assert all(not node.references for node in nodes(root).values())
    assert not planned(root, "../elsewhere/adr")


def test_another_record_of_the_same_name_from_elsewhere_overwrites_nothing(tmp_path: Path) -> None:
    root = repository(tmp_path / "project")
    for name, title in (("one", "Keep orders in PostgreSQL"), ("two", "Use tabs")):
        text = NYGARD.replace("Keep orders in PostgreSQL", title)
        records(tmp_path / name / "adr", {"0001-x.md": text})
    imported(root, "../one/adr")
    plan = imported(root, "../two/adr")
    assert [c.origin for c in plan.conflicts] == ["adr/0001-x.md"]
    assert [node.title for node in nodes(root).values()] == ["Keep orders in PostgreSQL"]


def test_a_copy_of_a_project_without_its_notes_gets_the_same_ones(project: Path, tmp_path: Path) -> None:
    imported(project)
    shutil.copytree(project, tmp_path / "copy", ignore=shutil.ignore_patterns(".autology"))
    imported(tmp_path / "copy")
    ids: Mapping[str, str] = {name: node.id for name, node in nodes(project).items()}
    assert {name: node.id for name, node in nodes(tmp_path / "copy").items()} == ids


# ---- what is no record ---------------------------------------------------------------------------


@pytest.mark.parametrize("folder", [".autology", ".autology/nodes", ".autology/nodes/decisions"])
def test_notes_are_no_records_to_be_brought_in(project: Path, folder: str) -> None:
    imported(project)
    before = everything_under(project)
    with pytest.raises(StorageError, match=r"lies in \.autology, whose notes are nodes already"):
        planned(project, folder)
    with pytest.raises(StorageError, match=r"lies in \.autology"):
        planned(project, next(iter(before)))
    assert everything_under(project) == before


def test_another_projects_notes_are_no_records_either(project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    records(other / "adr")
    imported(other, "adr")
    plan = planned(project, "../other")
    assert {a.origin for a in plan.additions} == {f"other/adr/{name}" for name in RECORDS}
    with pytest.raises(StorageError, match="nodes already"):
        planned(project, "../other/.autology/nodes")


def test_a_single_file_that_is_no_markdown_is_refused(project: Path) -> None:
    with pytest.raises(StorageError, match=r"is not a markdown file. Give one that ends in .md"):
        planned(project, "src/orders.py")
    assert len(planned(project, "docs/adr/0001-keep-orders-in-postgresql.md").additions) == 1


@pytest.mark.parametrize("versioned", [True, False])
def test_a_planned_addition_is_made_even_if_its_id_is_taken(tmp_path: Path, versioned: bool) -> None:
    root = tmp_path / "p"
    records(root / "adr", {"0001-x.md": NYGARD})
    if versioned:
        repository(root)
    imported(root, "adr")
    (file,) = (root / ".autology/nodes").rglob("*.md")
    kept = [line for line in file.read_text(encoding="utf-8").split("\n") if not line.startswith("origin_hash")]
    file.write_text("\n".join(kept), encoding="utf-8")
    plan = planned(root, "adr")
    done = applying.apply(graph(root), plan)
    assert done.added == len(plan.additions) == int(versioned)
    if not versioned:
        assert "a node that was not imported from it, 'Keep orders in PostgreSQL'" in plan.refused[0].reason


def test_taking_back_one_of_two_edits_settles_them(project: Path) -> None:
    imported(project)
    record = project / "docs/adr/0001-keep-orders-in-postgresql.md"
    node = nodes(project)[record.name]
    file = project / node.path
    as_imported, original = file.read_bytes(), record.read_bytes()
    amended(project, node, content="Mine.")
    record.write_bytes(original + b"\nTheirs.\n")
    (conflict,) = planned(project).conflicts
    assert node.path in conflict.reason
    record.write_bytes(original)
    assert not planned(project).conflicts
    record.write_bytes(original + b"\nTheirs.\n")
    file.write_bytes(as_imported)
    assert imported(project).changed == ("docs/adr/0001-keep-orders-in-postgresql.md",)
    assert "Theirs." in nodes(project)[record.name].content


# ---- what a plan names ---------------------------------------------------------------------------


def test_an_ambiguous_date_is_reported(tmp_path: Path) -> None:
    text = "# 1. X\n\nDate: {}\n\n## Decision\n\nYes.\n"
    dates = {"a.md": "03/04/2024", "b.md": "2024-04-03"}
    records(tmp_path / "adr", {name: text.format(date) for name, date in dates.items()})
    assert [a.unread_date for a in planned(tmp_path, "adr").additions] == ["03/04/2024", ""]


def test_records_that_supersede_each_other_are_named(tmp_path: Path) -> None:
    text = "# {}. Thing {}\n\n## Status\n\nAccepted\n\nSupersedes [ADR-{}]({:04}-x.md)\n\n## Decision\n\nYes.\n"
    records(tmp_path / "adr", {f"{n:04}-x.md": text.format(n, n, 3 - n, 3 - n) for n in (1, 2)})
    assert planned(tmp_path, "adr").circles == (("adr/0002-x.md", "adr/0001-x.md"),)


def test_german_sections_are_recognised(tmp_path: Path) -> None:
    parts = "".join(f"## {name}\n\nEtwas.\n\n" for name in ("Kontext", "Entscheidung", "Alternativen", "Konsequenzen"))
    records(tmp_path / "adr", {"0001-x.md": f"# 1. X\n\n{parts}"})
    (addition,) = planned(tmp_path, "adr").additions
    assert (addition.is_record, addition.missing) == (True, ())
