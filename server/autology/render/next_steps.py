"""Wording of next steps: as calls of tools, and as commands of a terminal."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from autology.model.errors import AutologyError
from autology.model.next_step import PLACEHOLDER, Action, NextStep, Noun, Sentence
from autology.text.sanitising import each_text


@dataclass(frozen=True, slots=True)
class _Tool:
    """An MCP tool: its name, argument names that differ from the action's, and additional arguments."""

    name: str
    renamed: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Command:
    """A command: its words, and its positional arguments, in order."""

    words: str
    positional: tuple[str, ...] = ()


_KNOWLEDGE = (Action.CAPTURE, Action.QUERY, Action.UPDATE, Action.DELETE, Action.RELATE, Action.UNRELATE)
_TOOLS: Mapping[Action, _Tool] = {
    **{action: _Tool(f"autology_{action}") for action in _KNOWLEDGE},
    Action.READ_NODE: _Tool("autology_query", {"id": "query"}, {"detail": "full"}),
    Action.SEARCH_DOCUMENTS: _Tool("search_documents"),
    Action.READ_DOCUMENT: _Tool("read_node_content"),
    Action.UPDATE_DOCUMENT: _Tool("update_document"),
    Action.DELETE_DOCUMENT: _Tool("delete_document"),
    Action.FIND_MEMORIES: _Tool("memory_find"),
    Action.READ_MEMORY: _Tool("memory_find", {"id": "query"}, {"mode": "fast"}),
    Action.SEARCH_EVERYTHING: _Tool("unified_memory_search"),
    Action.RECALL: _Tool("recall_previous_discussions"),
    Action.READ_PASSAGE: _Tool("retrieve_memory_chunk", {"id": "chunk_id"}, {"include_adjacent": True}),
    Action.SEARCH_CODE_HISTORY: _Tool("search_code_history"),
}
_COMMANDS: Mapping[Action, _Command] = {
    Action.QUERY: _Command("query", ("query",)),
    Action.READ_NODE: _Command("show", ("id",)),
    Action.UPDATE: _Command("update", ("id",)),
    Action.DELETE: _Command("delete", ("id",)),
    Action.RELATE: _Command("relate", ("source", "type", "target")),
    Action.UNRELATE: _Command("unrelate", ("source", "type", "target")),
    Action.REVIEW: _Command("review", ("id",)),
    Action.RESTORE: _Command("restore", ("id",)),
    Action.SEARCH_DOCUMENTS: _Command("search", ("query",)),
    Action.READ_DOCUMENT: _Command("show", ("id",)),
    Action.FIND_MEMORIES: _Command("memory find", ("query",)),
    Action.READ_MEMORY: _Command("memory show", ("id",)),
    Action.PURGE_MEMORIES: _Command("memory purge"),
    Action.SEARCH_EVERYTHING: _Command("recall", ("query",)),
    Action.RECALL: _Command("recall", ("query",)),
    Action.READ_PASSAGE: _Command("show", ("id",)),
    Action.SEARCH_CODE_HISTORY: _Command("recall", ("query",)),
    Action.INSTALL_MODEL: _Command("models install", ("model",)),
    Action.USE_MODEL: _Command("models use", ("model",)),
    Action.INSTALL_PARSERS: _Command("languages install"),
    Action.RECORDS: _Command("records", ("folder",)),
    Action.CHECK_HUB: _Command("hub doctor"),
}
"""Commands whose name differs from the action's, or that take positional arguments."""
_ONLY_TOOLS = (Action.UPDATE_DOCUMENT, Action.DELETE_DOCUMENT)
"""Actions without a command: in a terminal, an editor is used."""
_NOTES: Mapping[str, str] = {Noun.NODE: "note", Noun.NODE_AT_START: "Note"}


def for_tools(text: str) -> str:
    """Return *text* with its next steps as calls of MCP tools; steps without a tool are commands."""
    return text.worded(_call, {}) if isinstance(text, Sentence) else text


def for_terminal(text: str) -> str:
    """Return *text* with its next steps as commands, and nodes called notes."""
    return text.worded(_typed, _NOTES) if isinstance(text, Sentence) else text


def error_for_tools(error: AutologyError) -> str:
    """Return the message of *error* for a model."""
    return error.category + for_tools(error.message)


def error_for_terminal(error: AutologyError) -> str:
    """Return the message of *error* for a person, without its category."""
    return for_terminal(error.message)


def worded(value: object) -> object:
    """Return the JSON *value* with :func:`for_tools` applied to each text in it."""
    return each_text(value, for_tools)


def tool_call(step: NextStep) -> tuple[str, dict[str, Any]]:
    """Return the name of the tool for *step*, which must have one, and its arguments."""
    tool = _TOOLS[step.action]
    arguments = {tool.renamed.get(name, name): value for name, value in step.arguments.items()}
    return tool.name, {**arguments, **tool.extra}


def command(step: NextStep) -> str:
    """Return the command for *step*, quoted for a shell."""
    form = _COMMANDS.get(step.action, _Command(step.action))
    words = [
        "autology",
        form.words,
        *(_word(step.arguments[name]) for name in form.positional if name in step.arguments),
    ]
    for name, value in step.arguments.items():
        if name in form.positional:
            continue
        if name == "content" and str(value).startswith(PLACEHOLDER):
            words.append("--edit")  # the user will write the content
            continue
        values = value if isinstance(value, list) else [] if value is True else [value]
        words += [f"--{name.replace('_', '-')}", *map(_word, values)]
    return " ".join(words)


def _call(step: NextStep) -> str:
    if step.action not in _TOOLS:
        return _quoted(step)
    name, arguments = tool_call(step)
    return f"{name} {json.dumps(arguments, ensure_ascii=False)}" if arguments else name


def _typed(step: NextStep) -> str:
    return _call(step) if step.action in _ONLY_TOOLS else _quoted(step)


def _quoted(step: NextStep) -> str:
    return f"`{command(step)}`"


def _word(value: object) -> str:
    """Return *value* as a command's argument: a relation as its type and target."""
    if value == PLACEHOLDER:
        return f'"{value}"'
    return shlex.quote(f"{value['type']}={value['target']}" if isinstance(value, dict) else str(value))
