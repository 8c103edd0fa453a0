"""Next steps: tools name tools with JSON, a terminal names commands that can be typed, and the core names neither."""

from __future__ import annotations

import ast
import pickle
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

import autology as package
from autology.cli import commands, main, parser
from autology.model.errors import NotFoundError, StorageError
from autology.model.next_step import PLACEHOLDER, Action, NextStep, Noun, Sentence, do
from autology.render.next_steps import (
    command,
    error_for_terminal,
    error_for_tools,
    for_terminal,
    for_tools,
    tool_call,
    worded,
)
from autology.tools.server import TOOLS
from tests.unit.cli_kit import autology, run_json

RELATED = [{"type": "relates_to", "target": "1"}]
STEPS = [
    (do(Action.DELETE, id="1"), 'autology_delete {"id": "1"}', "autology delete 1"),
    (do(Action.RELATE, source="1", target="2", type="supersedes"),
     'autology_relate {"source": "1", "target": "2", "type": "supersedes"}', "autology relate 1 supersedes 2"),
    (do(Action.UNRELATE, source="1", target="2", type="uses"),
     'autology_unrelate {"source": "1", "target": "2", "type": "uses"}', "autology unrelate 1 uses 2"),
    (do(Action.UPDATE, id="1", content="… as it is now"),
     'autology_update {"id": "1", "content": "… as it is now"}', "autology update 1 --edit"),
    (do(Action.UPDATE, id="1", references=[]),
     'autology_update {"id": "1", "references": []}', "autology update 1 --references"),
    (do(Action.UPDATE, id="1", tags=["a", "b c"], status="active"),
     'autology_update {"id": "1", "tags": ["a", "b c"], "status": "active"}',
     "autology update 1 --tags a 'b c' --status active"),
    (do(Action.QUERY, related_to="1"), 'autology_query {"related_to": "1"}', "autology query --related-to 1"),
    (do(Action.QUERY), "autology_query", "autology query"),
    (do(Action.READ_NODE, id="1"), 'autology_query {"query": "1", "detail": "full"}', "autology show 1"),
    (do(Action.CAPTURE, title="Why's that", content=PLACEHOLDER, type="decision", supersedes=["1"]),
     'autology_capture {"title": "Why\'s that", "content": "…", "type": "decision", "supersedes": ["1"]}',
     """autology capture --title 'Why'"'"'s that' --edit --type decision --supersedes 1"""),
    (do(Action.CAPTURE, title="T", content=PLACEHOLDER, relations=RELATED),
     'autology_capture {"title": "T", "content": "…", "relations": [{"type": "relates_to", "target": "1"}]}',
     "autology capture --title T --edit --relations relates_to=1"),
    (do(Action.REVIEW, id="1", amend=True, reason=PLACEHOLDER),
     '`autology review 1 --amend --reason "…"`', 'autology review 1 --amend --reason "…"'),
    (do(Action.USE_MODEL, model="static"), "`autology models use static`", "autology models use static"),
]  # fmt: skip


@pytest.mark.parametrize(("step", "called", "typed"), STEPS)
def test_a_step_is_a_call_for_a_model_and_a_command_for_a_person(step: NextStep, called: str, typed: str) -> None:
    assert for_tools(Sentence(step)) == called
    assert for_terminal(Sentence(step)) == f"`{typed}`"
    _, name, *arguments = shlex.split(typed)
    parses(name, arguments)


def parses(name: str, arguments: list[str]) -> None:
    command = commands.find(name)
    assert command
    parser.build(command).parse_args(arguments)


REQUIRED: dict[Action, dict[str, object]] = {
    Action.CAPTURE: {"title": "T"},
    Action.UPDATE: {"id": "1"},
    Action.DELETE: {"id": "1"},
    Action.READ_NODE: {"id": "1"},
    Action.READ_DOCUMENT: {"id": "1"},
    Action.READ_MEMORY: {"id": "1"},
    Action.READ_PASSAGE: {"id": "1"},
    Action.RELATE: {"source": "1", "type": "uses", "target": "2"},
    Action.UNRELATE: {"source": "1", "type": "uses", "target": "2"},
    Action.SEARCH_DOCUMENTS: {"query": "x"},
    Action.FIND_MEMORIES: {"query": "x"},
    Action.USE_MODEL: {"model": "static"},
    Action.INSTALL_MODEL: {"model": "static"},
}


@pytest.mark.parametrize("action", Action)
def test_every_action_has_a_command_that_exists(action: Action) -> None:
    step = do(action, **REQUIRED.get(action, {}))
    if not for_terminal(Sentence(step)).startswith("`"):
        assert action in (Action.UPDATE_DOCUMENT, Action.DELETE_DOCUMENT)
        return
    _, name, *arguments = shlex.split(command(step))
    parses(name, arguments)


def test_every_tool_that_an_action_names_exists_with_those_arguments() -> None:
    named = [(action, do(action, **REQUIRED.get(action, {}))) for action in Action]
    calls = [tool_call(step) for _, step in named if not for_tools(Sentence(step)).startswith("`")]
    assert len(calls) >= 10
    tools = {tool.name: tool for tool in TOOLS}
    for name, arguments in calls:
        assert arguments.keys() <= tools[name].arguments.model_fields.keys(), name


def test_a_sentence_keeps_its_steps_in_another_and_reads_neutrally_as_a_string() -> None:
    inner = Sentence("Run ", do(Action.SYNC), ".")
    outer = Sentence("not indexed; ", inner)
    assert outer == "not indexed; Run `sync`."
    assert outer.steps == inner.steps
    assert for_terminal(outer) == "not indexed; Run `autology sync`."
    assert for_terminal("plain") == "plain"
    assert worded({"fix": [inner], "more": 1}) == {"fix": ["Run `autology sync`."], "more": 1}
    assert for_tools(pickle.loads(pickle.dumps(outer))) == for_tools(outer)


def test_an_error_is_worded_by_each_front() -> None:
    unknown = NotFoundError("x", role="source")
    assert error_for_tools(unknown) == "source node not found: x. Search with autology_query to find the id."
    assert error_for_terminal(unknown) == "source note not found: x. Search with `autology query` to find the id."
    assert str(unknown) == "source node not found: x. Search with `query` to find the id."
    refused = StorageError("a.md", "is a folder", "Remove it.")
    assert (error_for_tools(refused), error_for_terminal(refused)) == (
        "storage error: a.md: is a folder. Remove it.",
        "a.md: is a folder. Remove it.",
    )
    assert for_terminal(Sentence(Noun.NODE_AT_START, "s")) == "Notes"


INNER = ("core", "model", "index", "files", "text", "ranking", "codegraph", "transcripts", "vcs", "embedding")
"""The packages below the fronts."""
ALLOWED = {
    ("core/memory/audited_memories.py", "memory_find"),  # the audit names tools
    ("core/memory/audited_memories.py", "memory_store"),
}


def strings(tree: ast.AST) -> Iterator[str]:
    """Yield the strings of a module, but not its docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(statement.value)
        for node in ast.walk(tree)
        if isinstance(node, documented)
        for statement in node.body
        if isinstance(statement, ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def test_the_inner_packages_name_no_tool_and_no_command() -> None:
    tools = "|".join(re.escape(tool.name) for tool in TOOLS)
    typed = "|".join(re.escape(command.name) for command in commands.commands())
    named = re.compile(rf"\b(?:{tools})\b|\bautology (?:{typed})\b")
    root = Path(package.__file__).parent
    modules = [path for part in INNER for path in (root / part).rglob("*.py")]
    texts = 0
    result = set()
    for path in modules:
        for text in strings(ast.parse(path.read_text(encoding="utf-8"))):
            texts += 1
            result |= {(path.relative_to(root).as_posix(), name) for name in named.findall(text)}
    assert len(modules) > 200
    assert texts > 5_000
    assert result - ALLOWED == set()
    assert ALLOWED - result == set()


def test_analysis_in_a_terminal_names_commands_and_data_names_tools(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    autology("capture", "--title", "Alone", "--content", "x", "--references", "src/gone.py", project=tmp_path)
    capsys.readouterr()
    assert autology("analyze", "--all", project=tmp_path) == 0
    shown = capsys.readouterr().out
    assert "fix: `autology update " in shown
    assert "autology_" not in shown
    assert all(
        each["fix"].startswith("autology_") for each in run_json(capsys, "analyze", project=tmp_path)["findings"]
    )
    main(["lint", "--format", "github", "--project", str(tmp_path)])
    output = capsys.readouterr().out
    assert "`autology update " in output
    assert "autology_" not in output
