"""Reads the eval cases, and refuses inconsistent ones that the client would accept."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
SERVER = "mcp__plugin_autology_autology__"
KINDS = ("trigger", "behaviour")
OWN_TOOLS = frozenset({"Skill", "Agent", "Read"})
"""The client's own tools that a case may grant: nothing that writes, or reaches out of the case's folder."""
KEYS = frozenset({"schema_version", "name", "description", "tags", "context", "execution", "runs", "graders"})
EXECUTION = frozenset({"prompt", "max_turns", "timeout_seconds", "allowed_tools"})
GRADERS = {
    "regex": frozenset({"pattern", "target", "match"}),
    "tool_used": frozenset({"tool", "input_match", "min", "max"}),
    "tool_order": frozenset({"before", "after"}),
}
"""The kinds of grader in use, none of which asks a model, with what each may say beside its type and name."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case: its kind, the skill or agent that it is about, and whether that is to be left alone."""

    name: str
    kind: str
    about: str
    negative: bool
    prompt: str
    tools: tuple[str, ...]
    folder: Path


class CaseError(ValueError):
    """An invalid case; the message names the file and what to write."""


def load(folder: Path, parts: Collection[str], tools: Collection[str]) -> list[Case]:
    """Return the cases below *folder*; *parts* are the plugin's skills and agents, *tools* its own tools.

    Raises:
        CaseError: there is none, or one is not as it must be.
    """
    cases = [_case(file, parts, tools) for file in sorted(folder.rglob("case.yaml"))]
    if not cases:
        raise CaseError(f"{folder} holds no case; write one as <case>/case.yaml")
    for one in ("name", "prompt"):
        values = [getattr(case, one) for case in cases]
        if twice := {value for value in values if values.count(value) > 1}:
            raise CaseError(f"{folder}: two cases have the {one} {min(twice)!r}; each needs its own")
    return cases


def _case(file: Path, parts: Collection[str], tools: Collection[str]) -> Case:
    def must(holds: object, what: str) -> None:
        if not holds:
            raise CaseError(f"{file}: {what}")

    fields = yaml.safe_load(file.read_text(encoding="utf-8"))
    must(isinstance(fields, dict), "is not a mapping; see README.md for one that does")
    must(not fields.keys() - KEYS, f"unknown: {', '.join(sorted(map(str, fields.keys() - KEYS)))}")
    name, tags, execution = fields.get("name"), fields.get("tags") or [], fields.get("execution") or {}
    must(name == file.parent.name, f"is named {name!r}; name it as its folder, {file.parent.name!r}")
    must(len(set(tags) & set(KINDS)) == 1, f"needs one of the tags {', '.join(KINDS)}")
    must(not execution.keys() - EXECUTION, f"execution: unknown: {', '.join(sorted(execution.keys() - EXECUTION))}")
    prompt = " ".join(str(execution.get("prompt") or "").split())
    must(prompt, "execution: needs a prompt")
    must(not re.search(r"/?autology:\w", prompt), "the prompt names what is to be found; say it as a user would")
    granted = tuple(execution.get("allowed_tools") or ())
    for tool in granted:
        must(_known(tool, tools), f"allowed_tools: there is no tool {tool}")
    graders = list(fields.get("graders") or ())
    must(graders, "needs a grader")
    for grader in graders:
        for problem in _faults(grader, granted, parts):
            must(False, f"grader {grader.get('name')!r}: {problem}")
    kind = next(tag for tag in tags if tag in KINDS)
    about = next((tag for tag in tags if tag in parts), "")
    must(kind != "trigger" or about, f"needs the tag of the skill or agent it is about: {', '.join(sorted(parts))}")
    scaffold = (fields.get("context") or {}).get("scaffold_script")
    must(not scaffold or (file.parent / str(scaffold)).is_file(), f"there is no scaffold script {scaffold}")
    never = [grader for grader in graders if grader.get("max") == 0]
    must(("negative" in tags) == (len(never) == len(graders)), "is negative if every grader has max: 0, and only then")
    return Case(str(name), kind, about, "negative" in tags, prompt, granted, file.parent)


def _known(tool: str, tools: Collection[str]) -> bool:
    return tool in OWN_TOOLS or (tool.startswith(SERVER) and tool.removeprefix(SERVER) in tools)


def _faults(grader: Mapping[str, Any], granted: Collection[str], parts: Collection[str]) -> Iterator[str]:
    kind = str(grader.get("type"))
    if kind not in GRADERS:
        yield f"there is no type {kind}; there are {', '.join(GRADERS)}"
        return
    if unknown := grader.keys() - GRADERS[kind] - {"type", "name"}:
        yield f"unknown: {', '.join(sorted(unknown))}"
    for key in ("tool", "before", "after"):
        if key in grader and grader[key] not in granted:
            yield f"{grader[key]} is not among allowed_tools, so it can never be used"
    for key in ("pattern", "input_match"):
        pattern = str(grader.get(key, ""))
        try:
            re.compile(pattern)
        except re.error as problem:
            yield f"{key} is not a valid pattern: {problem}"
        if re.search(r"\(\?[a-zP]", pattern):
            yield f"{key}: JavaScript reads it, which knows no {pattern[:4]}; write [Rr]edis"
    if grader.get("tool") in ("Skill", "Agent"):
        part = str(grader.get("input_match", "")).removeprefix("autology:")
        if part not in parts:
            yield f"there is no skill or agent autology:{part}"
