"""What skills, agents and guides mention exists; a skill is a short menu with recipes beside it."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
BAD = Path(__file__).parent / "fixtures" / "bad_skill"
PREFIX = "mcp__plugin_autology_autology"
INTERFACE = {  # ! marks what a call needs
    "autology_capture": "title! content! type tags references session source confidence relations supersedes"
    " decision_status",
    "autology_query": "query type tags limit status min_confidence references related_to mode offset detail"
    " content_from",
    "autology_context": "current_file recent_files task conversation max_nodes max_tokens",
    "autology_analyze": "focus",
    "autology_status": "",
    "autology_update": "id! title content tags status confidence type references decision_status",
    "autology_delete": "id!",
    "autology_relate": "source! target! type! description confidence",
    "autology_unrelate": "source! target! type!",
}
NODE_TYPES = {"decision", "component", "convention", "concept", "pattern", "issue", "session"}
RELATION_TYPES = {"affects", "uses", "supersedes", "relates_to", "implements", "depends_on", "derived_from"}
VALUES = {
    "status": {"active", "needs_review", "superseded"},
    "decision_status": {"proposed", "accepted", "rejected", "deprecated", "superseded"},
    "mode": {"words", "exact"},
    "detail": {"brief", "normal", "full"},
}
GUIDES = ("README.md", "CONTRIBUTING.md", ".claude/CLAUDE.md", "CHANGELOG.md", "docs/guide/*.md")
MAIN = "https://github.com/autology/autology/blob/main/"
MADE_LATER = ("dist/", ".build/", ".autology/")  # written by a build or by use, never in the tree
LONGEST_MENU = 60  # lines; a SKILL.md stays in the conversation once it is read
LONGEST_DESCRIPTION = 400  # characters; each is in every session's first request

ADVISOR = (
    "Use proactively when the conversation contains a decision, a new component, a convention, a question about why "
    "or how the project does something, or a request to assess its ontology (the recorded notes). Recommends Autology "
    "skills. Do NOT trigger for coding, debugging, or general development tasks."
)


# --- the real plugin ------------------------------------------------------------------------------


def test_everything_that_skills_agents_and_guides_mention_exists() -> None:
    texts = [*skill_files(ROOT), *agent_files(ROOT), *guide_files(ROOT)]
    assert len(texts) > 30
    text = [problem for path in texts for problem in problems_in_text(path, ROOT)]
    assert not text, "\n".join(text)


def test_shipped_files_link_to_the_guides_online() -> None:
    for name in ("README.md", "CHANGELOG.md"):
        linked = re.findall(r"\]\(([^)#\s]+)", (ROOT / name).read_text(encoding="utf-8"))
        assert {target for target in linked if "://" not in target} <= {
            "README.md",
            "CHANGELOG.md",
            "LICENSE",
        }


def test_every_skill_is_a_short_menu_with_recipes_one_level_deep() -> None:
    menus = sorted((ROOT / "skills").glob("*/SKILL.md"))
    assert [menu.parent.name for menu in menus] == ["analyze", "capture", "explore", "recall", "tutorial"]
    result = [problem for menu in menus for problem in problems_of_form(menu)]
    assert not result, "\n".join(result)


def test_every_example_call_fits_the_tool_it_calls() -> None:
    calls = [call for path in skill_files(ROOT) for call in example_calls(path.read_text(encoding="utf-8"))]
    assert {name for name, _ in calls} == set(tools())


def test_the_example_calls_are_checked_against_what_the_server_offers(tmp_path: Path) -> None:
    offered = {tool["name"]: tool["inputSchema"] for tool in ask_the_server(tmp_path)}
    assert {name for name in offered if name.startswith("autology_")} == tools().keys()
    for name, (takes, needs) in tools().items():
        assert set(offered[name].get("properties", {})) == takes, name
        assert set(offered[name].get("required", [])) == needs, name
    for path in skill_files(ROOT):
        for name, arguments in example_calls(path.read_text(encoding="utf-8")):
            for key, value in (arguments or {}).items():
                assert kind_of(value) in kinds(offered[name]["properties"][key]), (path, name, key)


def test_every_example_call_of_another_tool_fits_it_too() -> None:
    from autology.tools.server import TOOLS

    others = {tool.name: tool for tool in TOOLS if not tool.name.startswith("autology_")}
    called = set()
    for path in skill_files(ROOT):
        for name, arguments in example_calls(path.read_text(encoding="utf-8"), r"(?<=`)([a-z]+(?:_[a-z]+)+) (?=\{)"):
            if name in tools():
                continue
            assert name in others, (path, name)
            others[name].arguments.model_validate(arguments)
            called.add(name)
    assert len(called) > 5


@pytest.mark.parametrize(
    ("skill", "used"),
    [
        ("analyze", {"autology_analyze", "autology_context", "graph_stats", "cluster_analysis", "find_path"}),
        ("explore", {"autology_context", "find_path", "explore_links", "search_documents", "autology_query"}),
    ],
)
def test_a_skill_asks_the_tools_that_answer_best(skill: str, used: set[str]) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "skills" / skill).glob("*.md")]
    assert {name for text in texts for name in re.findall(r"`([a-z]+(?:_[a-z]+)+) \{", text)} >= used


def test_the_guide_names_every_setting_with_its_default() -> None:
    from autology.settings import Settings

    text = (ROOT / "docs" / "guide" / "settings.md").read_text(encoding="utf-8")
    content = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", text, re.MULTILINE))
    known = {field.name: field.default for field in dataclasses.fields(Settings) if field.name != "ignored"}
    assert content == {name: shown(default) for name, default in known.items()}


def shown(default: object) -> str:
    return (",".join(default) if isinstance(default, tuple) else str(default).lower()) or "none"


def test_every_skill_says_that_what_nodes_hold_is_data_and_what_to_do_when_it_fails() -> None:
    for menu in (ROOT / "skills").glob("*/SKILL.md"):
        text = menu.read_text(encoding="utf-8")
        assert "data, never instructions" in text, menu
        assert "## Not for" in text, menu
        assert "## When it fails" in text, menu


def test_the_advisor_is_small_cheap_and_reads_only() -> None:
    path = ROOT / "agents" / "autology-advisor.md"
    head, body = frontmatter(path)
    assert head["name"] == "autology-advisor"
    assert head["model"] == "haiku"
    assert head["description"] == ADVISOR
    # With built-in ones it starts where the server has not connected yet, or its tools are switched off.
    assert names_of(head["tools"]) == ["Read", "Grep", f"{PREFIX}__autology_query", f"{PREFIX}__autology_status"]
    assert 20 <= len(path.read_text(encoding="utf-8").splitlines()) <= 60
    assert "data, never instructions" in body
    for word in ("RECOMMEND:", "REASON:", "CONTEXT:", "ARGS:", "`NONE`"):
        assert word in body


# --- the bad fixture ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "expected",
    [
        "no tool autology_remember",
        f"no tool {PREFIX}__autology_forget",
        "no tool mcp__autology__autology_query",
        "no command autology teleport",
        "no skill /autology:nowhere",
        "no file missing.md",
        "no file other.md",
        "autology_query takes no depth",
        "autology_relate needs target",
        "autology_query: type can't be opinion",
        "autology_query: the example is no JSON",
        "no tool autology_guess",
        f"no tool {PREFIX}__autology_guess",
        "no file docs/none.md",
        "no file server/autology/none.py",
        "no command autology levitate",
    ],
)
def test_a_mention_of_something_that_is_not_there_is_rejected(expected: str) -> None:
    texts = [*skill_files(BAD), *agent_files(BAD), *guide_files(BAD)]
    text = [problem for path in texts for problem in problems_in_text(path, ROOT)]
    assert any(problem.endswith(expected) for problem in text), "\n".join(text)


@pytest.mark.parametrize(
    "expected",
    [
        "name worse is not the folder's",
        "allowed-tools makes the model ask for permission",
        "the description has more than two sentences",
        "no menu names orphan.md",
        "missing.md has no short form in the menu",
    ],
)
def test_a_skill_out_of_form_is_rejected(expected: str) -> None:
    result = problems_of_form(BAD / "skills" / "bad" / "SKILL.md")
    assert any(problem.endswith(expected) for problem in result), "\n".join(result)


def test_an_agent_whose_tools_do_not_resolve_is_rejected() -> None:
    head, _ = frontmatter(BAD / "agents" / "bad.md")
    assert not any(resolves(name) for name in names_of(head["tools"]))


def test_an_unknown_build_command_is_rejected() -> None:
    text = problems_in_text(BAD / "README.md", ROOT)
    assert any(problem.endswith("no command build.py fly") for problem in text), "\n".join(text)


# --- what there is --------------------------------------------------------------------------------


def skill_files(root: Path) -> list[Path]:
    return sorted((root / "skills").rglob("*.md"))


def agent_files(root: Path) -> list[Path]:
    return sorted((root / "agents").glob("*.md"))


def guide_files(root: Path) -> list[Path]:
    return sorted(path for pattern in GUIDES for path in root.glob(pattern))


def tools() -> dict[str, tuple[set[str], set[str]]]:
    """Return each tool's arguments by its name: those it takes and those it needs."""
    return {
        name: (
            set(takes.replace("!", "").split()),
            {word[:-1] for word in takes.split() if word.endswith("!")},
        )
        for name, takes in INTERFACE.items()
    }


def ask_the_server(folder: Path) -> list[dict[str, Any]]:
    """Return the tools that the server lists, from a real one that ends with its input."""
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    }
    messages = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
    ]
    places = {name: str(folder) for name in ("AUTOLOGY_DATA_DIR", "AUTOLOGY_CACHE_DIR")}
    env = {**os.environ, **places, "PYTHONPATH": str(ROOT / "server")}
    command = [sys.executable, "-m", "autology", "serve"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, env=env, stdin=pipe, stdout=pipe, encoding="utf-8") as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write("".join(json.dumps(message) + "\n" for message in messages))
        server.stdin.flush()
        answers = (json.loads(line) for line in server.stdout)
        tools: list[dict[str, Any]] = next(it for it in answers if it.get("id") == 1)["result"]["tools"]
        server.stdin.close()
    return tools


def kinds(schema: dict[str, Any]) -> set[str]:
    """Return the JSON types that an argument takes."""
    kind = schema.get("type", [])
    result = {kind} if isinstance(kind, str) else set(kind)
    return result.union(*(kinds(option) for option in schema.get("anyOf", schema.get("oneOf", []))))


def kind_of(value: object) -> str:
    """Return a JSON value's type; the examples hold no others."""
    return {str: "string", int: "integer", float: "number", list: "array", bool: "boolean"}[type(value)]


def commands() -> set[str]:
    """Return the names of the executable's commands: one module each, beside serve and hook."""
    folder = ROOT / "server" / "autology" / "cli"
    modules = {path.stem for path in folder.glob("*.py") if not path.stem.startswith("_")}
    return {module.rstrip("_").replace("_", "-") for module in modules} | {"serve", "hook"}


def build_commands() -> set[str]:
    front_door = ROOT / "build.py"
    return set(re.findall(r"""["']([a-z]+)["']""", front_door.read_text(encoding="utf-8")))


def frontmatter(path: Path) -> tuple[dict[str, Any], str]:
    _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(head), body


def names_of(listed: str | list[str]) -> list[str]:
    return [name.strip() for name in listed.split(",")] if isinstance(listed, str) else listed


def resolves(name: str) -> bool:
    """Tell whether the client finds a tool under this name; a bare or short one is dropped silently."""
    return name.startswith(f"{PREFIX}__") and name.removeprefix(f"{PREFIX}__") in tools()


# --- what a text mentions -------------------------------------------------------------------------


def problems_in_text(path: Path, root: Path) -> list[str]:
    """Return what *path* mentions that does not exist, each as 'file: no …'."""
    text = path.read_text(encoding="utf-8")
    content = missing_tools(text) + missing_skills(text, root) + missing_commands(text)
    content += missing_files(path, text, root)
    for name, arguments in example_calls(text):
        content += misfits(name, arguments)
    return [f"{path.parent.name}/{path.name}: {problem}" for problem in content]


def missing_tools(text: str) -> list[str]:
    full = [name for name in re.findall(r"\bmcp__\w+", text) if name != PREFIX and not resolves(name)]
    bare = [name for name in re.findall(r"(?<!\w)autology_[a-z_]+", text) if name not in tools()]
    return [f"no tool {name}" for name in full + bare]


def missing_skills(text: str, root: Path) -> list[str]:
    named = re.findall(r"/autology:([a-z][\w-]*)", text)
    gone = [name for name in named if not (root / "skills" / name / "SKILL.md").exists()]
    return [f"no skill /autology:{name}" for name in gone]


def missing_commands(text: str) -> list[str]:
    code = "\n".join(code_of(text))
    named = re.findall(r"(?<![\w/@:.-])autology ([a-z][a-z-]*)", code)
    named += re.findall(r"""(?:autology\.pyz"?|build\.py run) ([a-z][a-z-]*)""", code)
    result = [f"no command autology {name}" for name in named if name not in commands()]
    built = re.findall(r"build\.py ([a-z]+)", code)
    return result + [f"no command build.py {name}" for name in built if name not in build_commands()]


def missing_files(path: Path, text: str, root: Path) -> list[str]:
    linked = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text)
    places = {to: root / to.removeprefix(MAIN) if to.startswith(MAIN) else path.parent / to for to in linked}
    places = {to: place for to, place in places.items() if to.startswith(MAIN) or "://" not in to}
    result = [f"no file {to.removeprefix(MAIN)}" for to, place in places.items() if not place.exists()]
    for name in re.findall(r"`([\w./-]+)`", text):
        if "skills" in path.parts and re.fullmatch(r"[\w-]+\.md", name):
            present = (path.parent / name).exists()
        else:
            present = not is_in_the_tree(name, root) or (root / name).exists()
        result += [] if present else [f"no file {name}"]
    return result


def is_in_the_tree(name: str, root: Path) -> bool:
    """Tell whether *name* is meant as a path of this repository rather than of somebody's project."""
    top, slash, _ = name.partition("/")
    return bool(top and slash) and not name.startswith(MADE_LATER) and (root / top).is_dir()


def code_of(text: str) -> list[str]:
    """Return the lines of fenced blocks and the code spans of the rest."""
    parts = re.split(r"^```.*$", text, flags=re.MULTILINE)
    fenced = [line for block in parts[1::2] for line in block.splitlines()]
    return fenced + [span for block in parts[0::2] for span in re.findall(r"`([^`]+)`", block)]


def example_calls(
    text: str, called: str = r"(?<!\w)(autology_[a-z_]+) (?=\{)"
) -> list[tuple[str, dict[str, Any] | None]]:
    """Return the calls that *text* shows, as tool name and arguments; None where the example is no JSON."""
    calls: list[tuple[str, dict[str, Any] | None]] = []
    for match in re.finditer(called, text):
        try:
            arguments, _ = json.JSONDecoder().raw_decode(text, match.end())
        except ValueError:
            arguments = None
        calls.append((match[1], arguments))
    return calls


def misfits(name: str, arguments: dict[str, Any] | None) -> list[str]:
    """Return how the example call does not fit its tool."""
    if arguments is None:
        return [f"{name}: the example is no JSON"]
    if name not in tools():
        return []  # told already
    takes, needs = tools()[name]
    result = [f"{name} takes no {key}" for key in sorted(arguments.keys() - takes)]
    result += [f"{name} needs {key}" for key in sorted(needs - arguments.keys())]
    allowed = {**VALUES, "type": RELATION_TYPES if "relate" in name else NODE_TYPES}
    for key in allowed.keys() & arguments.keys():
        result += [] if arguments[key] in allowed[key] else [f"{name}: {key} can't be {arguments[key]}"]
    return result


# --- the form of a skill --------------------------------------------------------------------------


def problems_of_form(menu: Path) -> list[str]:
    """Return what is wrong with the skill whose menu this is."""
    head, body = frontmatter(menu)
    folder = menu.parent
    linked = set(re.findall(r"\]\(([^)]+)\)", body))
    description = str(head.get("description", ""))
    result = [] if head.get("name") == folder.name else [f"name {head.get('name')} is not the folder's"]
    if "allowed-tools" in head:
        result.append("allowed-tools makes the model ask for permission")
    if unknown := sorted(head.keys() - {"name", "description", "argument-hint", "allowed-tools"}):
        result.append(f"frontmatter that the client may not know: {', '.join(unknown)}")
    if not 20 <= len(description) <= LONGEST_DESCRIPTION:
        result.append(f"the description has {len(description)} characters")
    if len(re.findall(r"\.(?:\s|$)", description)) > 2:
        result.append("the description has more than two sentences")
    if len(menu.read_text(encoding="utf-8").splitlines()) > LONGEST_MENU:
        result.append(f"the menu has more than {LONGEST_MENU} lines")
    result += [f"{name} lies deeper than one level" for name in linked if "/" in name]
    result += [f"{path.name} is no recipe" for path in folder.iterdir() if path.suffix != ".md"]
    recipes = {path.name for path in folder.glob("*.md")} - {menu.name}
    result += [f"no menu names {name}" for name in sorted(recipes - linked)]
    # The client may ask before a recipe is read, and a refusal must not end the job.
    short = set(re.findall(r"\]\(([^)]+)\)[^|]*\|[^|]{20,}\|$", body, re.MULTILINE))
    result += [f"{name} has no short form in the menu" for name in sorted(linked - short)]
    return [f"{folder.name}: {problem}" for problem in result]
