"""What a collection does not have is kept beside its records, and is not asked of each of them."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from autology.core.analysis.analyze import analyze
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.review import reviews
from autology.core.nodes.update import Fields, update
from autology.files import atomic, journal
from autology.model.node import DecisionStatus, NodeStatus
from autology.vcs.git import Git
from autology.wire.project import Project
from tests.unit.adoption_kit import TITLES, adopted, node_at, opened, texts

RUST = """\
- Feature Name: `{name}`
- Start Date: 2014-03-0{number}
- RFC PR: [rust-lang/rfcs#{number}](https://github.com/rust-lang/rfcs/pull/{number})

# Summary

{title}.

# Motivation

Why.

# Detailed design

How.
"""


def stateless(root: Path) -> list[str]:
    paths = []
    for number, title in enumerate(TITLES, 1):
        name = title.lower().replace(" ", "-")
        path = root / f"text/{number:04}-{name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(RUST.format(name=name.replace("-", "_"), number=number, title=title), encoding="utf-8")
        paths.append(path.relative_to(root).as_posix())
    return paths


def test_a_status_without_a_place_goes_beside_the_record_and_the_answer_says_so(tmp_path: Path) -> None:
    path, *_ = stateless(tmp_path)
    graph = opened(tmp_path, ["text"])
    node = node_at(graph, path)
    assert node.decision_status is DecisionStatus.ACCEPTED
    before = texts(tmp_path)
    answer = update(graph, node.id, Fields(decision_status="deprecated"))
    assert texts(tmp_path) == before
    assert any("no status" in note for note in answer.notes)
    assert node_at(opened(tmp_path), path).decision_status is DecisionStatus.DEPRECATED


def test_a_note_that_supersedes_a_record_is_written_into_its_status(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "nygard")
    old = node_at(graph, "docs/adr/0001-keep-orders-in-postgresql.md")
    capture(graph, Material("Keep orders in files", "Because.", type="decision", supersedes=(old.id,)))
    again = node_at(opened(tmp_path), old.record)
    assert (again.decision_status, again.status) == (DecisionStatus.SUPERSEDED, NodeStatus.SUPERSEDED)
    assert "\nSuperseded\n" in (tmp_path / old.record).read_text(encoding="utf-8")


def test_missing_sections_are_one_finding_of_the_collection(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "nygard")
    for name in ("0001-keep-orders-in-postgresql.md", "0004-sign-releases.md"):
        file = tmp_path / "docs/adr" / name
        text = file.read_text(encoding="utf-8").replace("## Consequences\n\nSome of them.\n", "")
        file.write_text(text, encoding="utf-8")
    graph.refresh(walk=True)
    findings = [one for one in analyze(graph, Git(str(tmp_path))).findings if one.check == "incomplete"]
    assert len(findings) <= 1
    assert reviews(graph, Git(str(tmp_path))).waiting == ()
    assert {node_at(graph, path).status for path in texts(tmp_path)} == {NodeStatus.ACTIVE}


def _write_record(root: Path, number: int, title: str, status: str, text: str) -> Path:
    path = root / f"docs/adr/{number:04}-{title.lower().replace(' ', '-')}.md"
    head = f"# {number}. {title}\n\nDate: 2020-03-01\n\n## Status\n\n{status}\n\n"
    body = f"## Context\n\n{text}\n\n## Decision\n\n{text}\n\n## Consequences\n\nSome.\n"
    path.write_text(head + body, encoding="utf-8")
    return path


def _findings(root: Path, check: str) -> list[str]:
    graph = opened(root, ["docs/adr"])
    return [one.what for one in analyze(graph, Git(str(root))).findings if one.check == check]


def test_a_series_of_records_with_similar_texts_has_no_duplicates(tmp_path: Path) -> None:
    adopted(tmp_path, "nygard")
    text = (
        "The program is written in native code today. It moves to bytecode that the runtime executes, with the same "
        "address, the same accounts and the same cost, behind a feature gate that every cluster activates on its own. "
        "Nobody who calls it sees a difference, and a release that lacks the gate goes on with the old executable."
    )
    _write_record(tmp_path, 6, "Migrate Config to bytecode", "Accepted", text)
    _write_record(tmp_path, 7, "Migrate Stake to bytecode", "Accepted", text.replace("old", "former"))
    assert _findings(tmp_path, "duplicates") == []
    _write_record(tmp_path, 8, "Migrate stake to Bytecode", "Accepted", text.replace("old", "earlier"))
    assert _findings(tmp_path, "duplicates") == []  # decided again, under another number


def test_a_proposal_that_was_rejected_and_made_again_is_no_duplicate(tmp_path: Path) -> None:
    adopted(tmp_path, "nygard")
    text = "Parcels go without plastic, in paper that is made nearby. " * 6
    _write_record(tmp_path, 6, "Pack in paper", "Rejected", text)
    _write_record(tmp_path, 6, "Pack in Paper", "Accepted", text)
    assert _findings(tmp_path, "duplicates") == []


def test_copies_of_a_record_in_another_folder_are_no_duplicates(tmp_path: Path) -> None:
    adopted(tmp_path, "nygard")
    written = _write_record(tmp_path, 6, "Pack in paper", "Accepted", "Parcels go without plastic, for all. " * 6)
    copy = tmp_path / "docs/adr/next" / written.name
    copy.parent.mkdir()
    copy.write_bytes(written.read_bytes())
    for number in (1, 2, 3):
        (copy.parent / f"000{number}-x.md").write_text(
            f"# {number}. Bake {number}\n\n## Status\n\nAccepted\n\n## Decision\n\nAt {number}.\n"
        )
    assert _findings(tmp_path, "duplicates") == []


def test_records_of_one_text_that_have_folders_of_their_own_are_duplicates(tmp_path: Path) -> None:
    adopted(tmp_path, "nygard", "kep")
    assert _findings(tmp_path, "duplicates") == []
    shutil.copytree(tmp_path / "keps/0001-keep-orders-in-postgresql", tmp_path / "keps/0009-keep-orders")
    (title,) = _findings(tmp_path, "duplicates")
    assert title.startswith("Duplicate of 'Keep orders in PostgreSQL'")


def test_numbers_that_several_decisions_of_a_series_have_are_one_finding(tmp_path: Path) -> None:
    adopted(tmp_path, "nygard")
    _write_record(tmp_path, 6, "Pack in paper", "Accepted", "Parcels go without plastic.")
    assert _findings(tmp_path, "duplicates") == []
    _write_record(tmp_path, 2, "Append-only sessions", "Accepted", "Sessions end after a day.")
    assert _findings(tmp_path, "duplicates") == ["Number 2 stands for several decisions in docs/adr"]
    third = _write_record(tmp_path, 2, "Store carts in Redis", "Accepted", "Carts end after a week.")
    assert _findings(tmp_path, "duplicates") == []  # a number of a subject
    third.unlink()
    _write_record(tmp_path, 4, "Name queues by team", "Accepted", "Each team has its own.")
    assert _findings(tmp_path, "duplicates") == ["The numbers 2, 4 stand for several decisions in docs/adr"]
    _write_record(tmp_path, 4, "Name queues by team", "Rejected", "Each team has its own.")
    assert _findings(tmp_path, "duplicates") == ["Number 2 stands for several decisions in docs/adr"]


def test_years_and_appendices_are_not_numbers_used_twice(tmp_path: Path) -> None:
    adopted(tmp_path, "nygard")
    _write_record(tmp_path, 2, "Send mail through a queue: costs", "Accepted", "They are low.")
    _write_record(tmp_path, 2, "Amendment A1, capacity", "Accepted", "Queues hold a day.")
    assert _findings(tmp_path, "duplicates") == []
    for number, title in enumerate(("Bake bread", "Sell bread", "Name queues by team"), 1):
        _write_record(tmp_path, number, title, "Accepted", f"{title}, as it was always done.")
    assert _findings(tmp_path, "duplicates") == []


def test_a_replaced_record_is_a_finding_only_if_it_reads_as_in_force(tmp_path: Path) -> None:
    adopted(tmp_path, "nygard")
    _write_record(tmp_path, 6, "Store sessions in Redis", "Accepted", "Sessions end after a day.")
    replacing = "Supersedes [6. Store sessions in Redis](0006-store-sessions-in-redis.md)."
    newer = _write_record(tmp_path, 7, "Store sessions in cookies", "Proposed", replacing)
    assert _findings(tmp_path, "chains") == []
    newer.write_text(newer.read_text(encoding="utf-8").replace("Proposed", "Accepted"), encoding="utf-8")
    assert _findings(tmp_path, "chains") == [
        "Superseded by 'Store sessions in cookies', but still Accepted: Store sessions in Redis"
    ]
    _write_record(tmp_path, 6, "Store sessions in Redis", "Rejected", "Sessions end after a day.")
    assert _findings(tmp_path, "chains") == []


def test_a_writer_that_died_while_it_changed_a_record_is_completed(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "asciidoc")
    path = "doc/adr/0003-cache-prices-in-memory.adoc"
    before = (tmp_path / path).read_bytes()
    after = before.replace(b"Cache prices in memory", b"Cache prices on disk")
    staged = Path(atomic.stage(str(tmp_path / path), after))
    steps = [{"path": path, "staged": staged.name, "before": journal._hash(before)}]
    record = tmp_path / journal.JOURNAL / "0001.json"
    record.parent.mkdir(parents=True, exist_ok=True)
    import json

    record.write_text(json.dumps({"version": 1, "steps": steps}), encoding="utf-8")
    assert node_at(opened(tmp_path), path).title == "Cache prices on disk"
    assert node_at(graph, path).title == "Cache prices on disk"
    assert not staged.exists()


def test_a_start_does_not_read_the_records_again(tmp_path: Path) -> None:
    adopted(tmp_path, "nygard")
    time.sleep(0.03)  # what was read as soon as it was written is read once more
    opened(tmp_path).refresh(walk=True)
    graph = Project(str(tmp_path)).graph
    assert graph.refresh() == 0
    records = graph.records
    assert records is not None
    assert len(records.snapshot.records) == 5
    assert records.folders._texts == {}  # type: ignore[attr-defined]
