"""What the model is told of each tool changes only on purpose.

After a change that is meant: ``PYTHONPATH=server:. python -m tests.plugin.test_server_schemas``
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autology.tools.server import TOOLS
from autology.tools.tool import Tool

PREFIX = "mcp__plugin_autology_autology__"
"""What the client puts before a tool's name."""
SNAPSHOTS = Path(__file__).parent / "snapshots" / "tools"


def described(tool: Tool[Any]) -> str:
    result = tool.described().model_dump(by_alias=True, exclude_none=True, mode="json")
    return json.dumps(result, indent=2, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_is_described_as_recorded(tool: Tool[Any]) -> None:
    assert described(tool) == (SNAPSHOTS / f"{tool.name}.json").read_text(encoding="utf-8"), __doc__


def test_every_record_is_of_a_tool() -> None:
    assert {path.stem for path in SNAPSHOTS.iterdir()} == {tool.name for tool in TOOLS}


def test_the_always_visible_tool_descriptions_are_small() -> None:
    always = [tool for tool in TOOLS if tool.hint is None]
    assert [tool.name for tool in always] == ["autology_capture", "autology_query", "unified_memory_search"]
    assert sum(map(shown, always)) < 4_400  # 1,100 tokens


def test_all_tool_descriptions_together_are_small() -> None:
    assert sum(map(shown, TOOLS)) < 21_000  # 5,250 tokens; bench/tokens.py adds the rest of what a request contains


def shown(tool: Tool[Any]) -> int:
    """Return the characters of a request that describe *tool*."""
    sent = {"name": f"{PREFIX}{tool.name}", "description": tool.description}
    schema = tool.described().input_schema
    return len(json.dumps({**sent, "input_schema": schema}, separators=(",", ":"), ensure_ascii=False))


if __name__ == "__main__":
    SNAPSHOTS.mkdir(parents=True, exist_ok=True)
    for each in TOOLS:
        (SNAPSHOTS / f"{each.name}.json").write_text(described(each), encoding="utf-8", newline="\n")
