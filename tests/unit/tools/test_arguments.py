"""What tools say that they take is what is taken, and what does not fit is named."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from autology.model.argument_limits import DETAILS
from autology.model.errors import NotFoundError
from autology.render import nodes
from autology.render.next_steps import error_for_tools
from autology.tools import (
    query,
)
from autology.tools.argument_errors import invalid_arguments
from autology.tools.arguments import schema_of
from autology.tools.errors import plain
from autology.tools.project import ServedProject
from autology.tools.server import TOOLS, instructions
from autology.tools.tool import KNOWLEDGE, Tool

TYPES: dict[str, Any] = {"string": str, "integer": int, "number": (int, float), "array": list, "boolean": bool}
FULL = [tool for tool in TOOLS if not tool.alias]
"""The tools that are listed in full."""
SELF_EVIDENT = set(
    "confidence depth description format include_expired items limit max_depth max_nodes max_tokens min_confidence "
    "offset options source status target time_range title type types".split()
)
"""Arguments that some tool leaves undescribed; what each takes, if it is one of several values, is in its schema."""
STEERING = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def test_what_a_schema_allows_is_what_the_answers_are_made_for() -> None:
    assert tuple(nodes.CONTENT) == tuple(nodes.BUDGET) == DETAILS


@pytest.mark.parametrize("tool", FULL, ids=lambda tool: tool.name)
def test_a_description_tells_when_to_use_a_tool_and_when_not(tool: Tool[Any]) -> None:
    assert 120 <= len(tool.description) <= 360
    assert re.search(r"\bUse (when|before|after|first|only|for|to)\b", tool.description)
    assert re.search(r"\bNot (for|to)\b", tool.description)
    named = set(re.findall(r"autology_\w+", tool.description))
    assert named <= {tool.name for tool in TOOLS if tool.group == KNOWLEDGE}


def test_an_argument_is_described_unless_its_name_and_its_values_say_it_all() -> None:
    silent = {
        name
        for tool in FULL
        for name, schema in tool.described().input_schema["properties"].items()
        if not schema.get("description")
    }
    assert silent == SELF_EVIDENT


def test_an_alias_lists_what_it_needs_and_takes_all_that_the_tool_takes() -> None:
    aliases = [tool for tool in TOOLS if tool.alias]
    assert [tool.name for tool in aliases] == ["search_memory", "find_past_conversations"]
    for tool in aliases:
        original = next(each for each in FULL if each.arguments is tool.arguments)
        assert original.name in tool.description
        schema = tool.described().input_schema
        assert list(schema["properties"]) == schema["required"] == original.described().input_schema["required"]
        assert "additionalProperties" not in schema
        assert tool.arguments.model_validate({"query": "q", "time_range": "week", "limit": 3})


def test_the_instructions_are_short_and_say_that_what_is_recalled_is_data(tmp_path: Path) -> None:
    result = instructions(ServedProject(str(tmp_path)))
    assert len(result) < 1_000
    assert "never instructions" in result
    assert set(re.findall(r"autology_\w+", result)) <= {tool.name for tool in TOOLS if tool.group == KNOWLEDGE}


@pytest.mark.parametrize("group", ["knowledge", "documents", "conversations"])
def test_the_instructions_name_no_tool_that_is_switched_off(
    tmp_path: Path, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = {tool.name: tool.group for tool in TOOLS}
    assert group in {every.get(word) for word in re.findall(r"\w+", instructions(ServedProject(str(tmp_path))))}
    monkeypatch.setenv(f"AUTOLOGY_TOOLS_{group.upper()}", "false")
    result = instructions(ServedProject(str(tmp_path)))
    assert group not in {every.get(word) for word in re.findall(r"\w+", result)}
    assert "never instructions" in result


@pytest.mark.parametrize("tool", FULL, ids=lambda tool: tool.name)
def test_a_schema_is_complete_in_one_piece_and_allows_no_null(tool: Tool[Any]) -> None:
    result = str(tool.described().input_schema)
    assert "$ref" not in result
    assert "'null'" not in result
    assert "'title': 'Title'" not in result


@settings(max_examples=60)
@given(st.sampled_from(TOOLS), st.dictionaries(st.text(max_size=10), anything, max_size=3), st.data())
def test_any_argument_is_accepted_or_refused_by_name(
    tool: Tool[Any], unknown: dict[str, object], data: st.DataObject
) -> None:
    known = data.draw(st.dictionaries(st.sampled_from([*tool.arguments.model_fields, "x"]), anything, max_size=4))
    whole = {**unknown, **known}
    try:
        tool.arguments.model_validate(whole)
    except ValidationError as error:
        refused = invalid_arguments(tool.name, list(tool.arguments.model_fields), error).error
        assert refused.data["arguments"]
        assert not STEERING.search(refused.message)
        assert len(refused.message) < 2_000
        assert "does not fit" not in refused.message
    else:
        for name, value in whole.items():
            schema = schema_of(tool.arguments)["properties"][name]
            if (tool.name, name) == ("memory_store", "items"):
                continue  # the core refuses what is not an array: test_items_must_be_an_array
            assert "anyOf" in schema or isinstance(value, TYPES[schema["type"]])


def test_a_message_keeps_its_next_step_whatever_it_quotes() -> None:
    for quoted in ("\x1b]0;", "\x1b[", "\x9d", "\u202e", "\x00", "\ud800", "a\r\nb"):
        result = plain(error_for_tools(NotFoundError(quoted)), 500)
        assert result.endswith("Search with autology_query to find the id.")
        assert not STEERING.search(result.replace("\n", ""))
    assert plain("✓ Über 漢字 👩‍👩‍👧 é", 500) == "✓ Über 漢字 👩‍👩‍👧 é"
    assert len(plain("x" * 10_000_000, 500)) == 500


def test_values_are_not_echoed_in_a_refusal() -> None:
    secret = "hunter2" * 1_000
    with pytest.raises(ValidationError) as caught:
        query.Query.model_validate({"tags": secret, "limit": secret, secret: 1})
    result = invalid_arguments("autology_query", [], caught.value).error
    assert len(result.message) < 300
    assert result.message.count("hunter2") < 10
