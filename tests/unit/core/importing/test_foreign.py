"""What other tools remembered comes in whole, and once; what was not understood is kept as text and said."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from autology.model.node import Node, NodeStatus, NodeType
from autology.text.notes.node_file import read_node
from tests.unit.cli_kit import autology, run_json

FOREIGN = Path(__file__).parents[3] / "fixtures" / "foreign"
ID = "3f2a91c0-6b5e-4d0a-9c55-1f0a6a3a7c11"


def nodes(project: Path) -> dict[str, Node]:
    result = [read_node(file.read_bytes().decode()) for file in (project / ".autology/nodes").rglob("*.md")]
    return {node.title: node for node in result}


def related(project: Path) -> set[tuple[str, str, str, str | None]]:
    result = nodes(project)
    titles = {node.id: node.title for node in result.values()}
    return {(n.title, r.type.value, titles[r.target], r.description) for n in result.values() for r in n.relations}


def tree(project: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in (project / ".autology/nodes").rglob("*.md")}


def brought_in(project: Path, capsys: pytest.CaptureFixture[str], kind: str, source: Path) -> Any:
    """Import, and again: the second time nothing happens."""
    first = run_json(capsys, "import", kind, str(source), project=project)
    before = tree(project)
    again = run_json(capsys, "import", kind, str(source), project=project)
    assert again["done"]["added"] == again["done"]["edited"] == 0
    assert again["plan"]["unchanged"] == len(before)
    assert tree(project) == before
    return first


# ---- server-memory, its file made with the tool itself -------------------------------------------


def test_entities_become_nodes_and_relations_of_any_word_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = brought_in(tmp_path, capsys, "server-memory", FOREIGN / "memory.jsonl")
    assert first["done"]["added"] == 5
    result = nodes(tmp_path)
    assert {title: node.type.value for title, node in result.items()} == {
        "Checkout": "component",
        "PostgreSQL for orders": "decision",
        "Ada Lovelace": "concept",
        "Carts lose items": "issue",
        "Empty one": "concept",
    }
    assert related(tmp_path) == {
        ("Checkout", "implements", "PostgreSQL for orders", None),
        ("Ada Lovelace", "relates_to", "Checkout", "maintains; designed"),
        ("Carts lose items", "affects", "Checkout", None),
    }
    assert "- Takes orders and charges cards\n- Lives in src/checkout" in result["Checkout"].content
    assert "- depends_on: Stripe" in result["Checkout"].content
    assert any("Stripe" in remark for remark in first["plan"]["remarks"])
    assert result["Empty one"].extra["entity_type"] == "Some Kind!"
    assert result["Checkout"].extra["origin"] == "server-memory:memory.jsonl#Checkout"
    assert result["Checkout"].source == "import_server_memory"
    assert result["PostgreSQL for orders"].status is NodeStatus.NEEDS_REVIEW


def test_lines_that_are_no_memory_are_kept_in_a_note_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "odd.jsonl"
    odd = ["not json ```", '{"type": "entity"}', '{"type": "relation", "from": "A"}', "[1]"]
    file.write_text("\n".join(['{"type":"entity","name":"A","entityType":"","observations":["x"]}', *odd]))
    first = brought_in(tmp_path, capsys, "server-memory", file)
    assert "4 of its lines are neither an entity nor a relation" in first["plan"]["remarks"][0]
    kept = nodes(tmp_path)["What could not be read of odd.jsonl"].content
    assert all(line in kept for line in odd)


def test_a_file_that_holds_no_memory_at_all_is_refused_and_not_kept_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "README.md"
    wrong.write_text("# Shop\n\nSells things.\n", encoding="utf-8")
    assert autology("import", "server-memory", str(wrong), project=tmp_path) == 1
    output = capsys.readouterr().err
    assert "has neither entities nor relations" in output
    assert output.rstrip().endswith("by default memory.jsonl.")
    assert not (tmp_path / ".autology").exists()


def test_a_grown_foreign_memory_is_updated_except_edited_notes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "memory.jsonl"
    shutil.copy(FOREIGN / "memory.jsonl", file)
    run_json(capsys, "import", "server-memory", str(file), project=tmp_path)
    autology("update", nodes(tmp_path)["Ada Lovelace"].id, "--content", "Mine now.", project=tmp_path)
    text = file.read_text(encoding="utf-8")
    text = text.replace('"Owns the checkout"', '"Owns the till"').replace('"Takes orders', '"Stripe takes orders')
    file.write_text(text + '\n{"type":"entity","name":"Stripe","entityType":"service","observations":["Pays"]}')
    again = run_json(capsys, "import", "server-memory", str(file), project=tmp_path)
    assert again["done"] == {"added": 1, "edited": 1, "older_relations": 0}
    (conflict,) = again["plan"]["conflicts"]
    assert conflict["origin"] == "memory.jsonl#Ada Lovelace"
    result = nodes(tmp_path)
    assert result["Ada Lovelace"].content == "Mine now."
    assert "Stripe takes orders" in result["Checkout"].content
    assert ("Checkout", "depends_on", "Stripe", None) in related(tmp_path)


def test_a_relation_that_comes_later_or_leads_somewhere_only_later_is_made_then(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "memory.jsonl"
    shutil.copy(FOREIGN / "memory.jsonl", file)
    run_json(capsys, "import", "server-memory", str(file), project=tmp_path)
    late = '{"type":"relation","from":"Empty one","to":"Checkout","relationType":"uses"}'
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{late}", encoding="utf-8")
    again = run_json(capsys, "import", "server-memory", str(file), project=tmp_path)
    assert again["done"] == {"added": 0, "edited": 1, "older_relations": 0}
    stripe = '{"type":"entity","name":"Stripe","entityType":"service","observations":["Pays"]}'
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{stripe}", encoding="utf-8")
    run_json(capsys, "import", "server-memory", str(file), project=tmp_path)
    assert {("Empty one", "uses", "Checkout", None), ("Checkout", "depends_on", "Stripe", None)} < related(tmp_path)
    assert "led nowhere" not in nodes(tmp_path)["Checkout"].content


def test_secrets_stay_out_and_a_deleted_node_is_not_brought_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    file = tmp_path / "memory.jsonl"
    file.write_text(json.dumps({"type": "entity", "name": "CI", "entityType": "tool", "observations": [secret]}))
    first = run_json(capsys, "import", "server-memory", str(file), project=tmp_path)
    assert "secrets were redacted" in first["plan"]["remarks"][0]
    assert not any(secret.encode() in data for data in tree(tmp_path).values())
    autology("delete", nodes(tmp_path)["CI"].id, "--yes", project=tmp_path)
    again = run_json(capsys, "import", "server-memory", str(file), project=tmp_path)
    assert again["done"]["added"] == 0
    assert "autology restore" in again["plan"]["refused"][0]["reason"]


# ---- basic-memory --------------------------------------------------------------------------------


def test_notes_keep_their_text_and_their_relations_become_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = brought_in(tmp_path, capsys, "basic-memory", FOREIGN / "basic-memory")
    assert first["done"]["added"] == 3
    result = nodes(tmp_path)
    order = result["Order Service"]
    original = (FOREIGN / "basic-memory/components/Order Service.md").read_text(encoding="utf-8")
    assert order.content.strip() in original
    assert {"backend", "order-flow", "storage", "orders"} <= set(order.tags)
    assert order.extra["basic_memory_permalink"].endswith("components/order-service")  # type: ignore[attr-defined]
    assert related(tmp_path) == {
        ("Order Service", "implements", "Use PostgreSQL for orders", None),
        ("Order Service", "depends_on", "Payment Service", "requires (for charging)"),
        ("Payment Service", "depends_on", "Order Service", None),
        ("Use PostgreSQL for orders", "relates_to", "Order Service", "links_to"),
    }
    assert result["Use PostgreSQL for orders"].type is NodeType.DECISION
    assert any("Nowhere At All" in remark for remark in first["plan"]["remarks"])
    assert "[[Nowhere At All]]" in order.content


def test_a_note_whose_frontmatter_cannot_be_read_is_kept_as_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "broken.md").write_text("---\ntitle: [\n---\n\nWords to keep.\n", encoding="utf-8")
    first = brought_in(tmp_path, capsys, "basic-memory", folder)
    assert "imported as plain text" in first["plan"]["remarks"][0]
    assert "Words to keep." in nodes(tmp_path)["broken"].content


# ---- the earlier Autology, as its documentation shows it -----------------------------------------

EARLIER = """\
---
id: {id}
type: {type}
title: {title}
tags:
  - auth
confidence: 0.8
created: 2026-02-08T10:00:00Z
modified: 2026-02-09T10:00:00Z
status: active
source: hook_commit
relations:
  - type: affects
    target: auth-component
    confidence: 0.85
references:
  - src/auth/jwt.go
---

# {title}

## Context
Stateless services.
"""


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    made = tmp_path / "earlier" / ".autology"
    texts = {
        f"decisions/{ID}.md": EARLIER.format(id=ID, type="decision", title="Use JWT"),
        "components/auth-component.md": EARLIER.format(id="auth-component", type="component", title="Auth"),
        "issues/torn.md": "---\nid: torn\ntitle: x\n  bad: [\n---\nStill worth reading.\n",
    }
    for name, text in texts.items():
        (made / "nodes" / name).parent.mkdir(parents=True, exist_ok=True)
        (made / "nodes" / name).write_text(text, encoding="utf-8")
    relations = [
        {"source": "auth-component", "target": ID, "type": "implements", "confidence": 0.75},
        {"source": ID, "target": "gone", "type": "uses", "confidence": 0.8},
    ]
    (made / "graph").mkdir()
    index = {"version": "1.0", "lastUpdated": "2026-02-08T12:00:00Z", "relations": relations}
    (made / "graph" / "index.json").write_text(json.dumps(index), encoding="utf-8")
    return made


def test_an_earlier_autology_comes_in_with_ids_dates_and_both_kinds_of_relations(
    tmp_path: Path, earlier: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "new").mkdir()
    first = brought_in(tmp_path / "new", capsys, "autology", earlier)
    result = nodes(tmp_path / "new")
    jwt, auth, torn = result["Use JWT"], result["Auth"], result["Unreadable: torn"]
    assert (jwt.id, jwt.created, jwt.modified) == (ID, "2026-02-08T10:00:00Z", "2026-02-09T10:00:00Z")
    assert (jwt.source, jwt.confidence, jwt.references) == ("hook_commit", 0.8, ("src/auth/jwt.go",))
    assert {(r.type.value, r.target, r.confidence) for r in auth.relations} == {("implements", ID, 0.75)}
    assert {(r.type.value, r.target) for r in jwt.relations} == {("affects", auth.id)}
    assert "- uses: gone" in jwt.content
    assert "Still worth reading." in torn.content
    assert torn.type is NodeType.ISSUE
    remarks = " ".join(first["plan"]["remarks"])
    assert "imported as plain text" in remarks
    assert "gone" in remarks


def test_the_folder_of_the_project_works_too_and_the_own_one_is_refused(
    tmp_path: Path, earlier: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "new").mkdir()
    first = run_json(capsys, "import", "autology", str(earlier.parent), project=tmp_path / "new")
    assert first["done"]["added"] == 3
    refused = run_json(capsys, "import", "autology", str(earlier.parent), project=earlier.parent)
    assert refused["error"]["kind"] == "StorageError"
    nothing = run_json(capsys, "import", "autology", str(tmp_path / "none"), project=tmp_path / "new")
    assert "has no nodes of an earlier Autology" in nothing["error"]["message"]
