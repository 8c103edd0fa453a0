"""The project that labelled edits are made in: its knowledge, its files, and edits as the client asks for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autology.model.node import DecisionStatus, Node, NodeStatus, NodeType
from autology.text.notes.node_file import write_node
from autology.wire.project import Project
from tests.labelled.reading import HERE

AT = "2026-01-01T00:00:00Z"


def know(folder: Path, name: str = "guard_nodes") -> dict[str, str]:
    """Make the project at *folder* and index what it knows; return what the labels call each node, by its id."""
    known = {}
    lines = (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        row = json.loads(line)
        node = Node(
            id=f"{number:08x}-0000-4000-8000-000000000000",
            type=NodeType(row["type"]),
            title=row["title"],
            content=row["content"],
            created=AT,
            modified=AT,
            references=tuple(row["references"]),
            status=NodeStatus(row["status"]),
            decision_status=DecisionStatus(row["decision_status"]) if row["decision_status"] else None,
        )
        file = folder / node.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(write_node(node, {}), encoding="utf-8", newline="\n")
        known[node.id] = row["key"]
    Project(str(folder)).graph.refresh()
    return known


def put(folder: Path, row: dict[str, Any]) -> None:
    """Write the file that an edit is about to change, as it was before."""
    file = folder / row["file"]
    file.parent.mkdir(parents=True, exist_ok=True)
    olds = [old for old, _ in row["old"]] if row["tool"] == "MultiEdit" else [row.get("old") or ""]
    before = row.get("before") or "\n".join(olds)
    if before:
        file.write_text(before, encoding="utf-8", newline="\n")
    else:
        file.unlink(missing_ok=True)


def requested(folder: Path, row: dict[str, Any]) -> dict[str, object]:
    """Return what the client tells a hook of an edit that is about to be made."""
    place, tool = str(folder / row["file"]), row["tool"]
    if tool == "Write":
        requests: dict[str, object] = {"file_path": place, "content": row["new"]}
    elif tool == "NotebookEdit":
        requests = {"notebook_path": place, "new_source": row["new"], "edit_mode": "replace"}
    elif tool == "MultiEdit":
        requests = {"file_path": place, "edits": [{"old_string": old, "new_string": new} for old, new in row["old"]]}
    else:
        requests = {"file_path": place, "old_string": row["old"], "new_string": row["new"]}
    return {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": requests}
