"""Ignore patterns in the format of ``.gitignore``, for when git is not available."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern: what it matches, whether it is negated, whether it applies to folders only."""

    pattern: re.Pattern[str]
    negated: bool
    folders_only: bool


def rules(lines: Iterable[str], folder: str = "") -> tuple[Rule, ...]:
    """Return the rules in *lines* of a file in *folder*, ``/``-separated and relative to the top."""
    parsed = (_rule(line.rstrip("\r\n"), folder) for line in lines)
    return tuple(rule for rule in parsed if rule)


def is_ignored(all_rules: Sequence[Rule], path: str, is_folder: bool) -> bool:
    """Whether *path* is ignored; the last matching rule decides."""
    for rule in reversed(all_rules):
        if (is_folder or not rule.folders_only) and rule.pattern.match(path):
            return not rule.negated
    return False


def _rule(line: str, folder: str) -> Rule | None:
    text = line if line.endswith("\\ ") else line.rstrip(" \t")
    if not text or text.startswith("#") or len(text) > 1_000:
        return None
    negated = text.startswith("!")
    text = text.removeprefix("!") if negated else text.removeprefix("\\")
    folders_only = text.endswith("/")
    text = text.rstrip("/")
    if not text:
        return None
    anywhere = "/" not in text
    base = re.escape(folder) + "/" if folder else ""
    inner = _expression(text.lstrip("/"))
    try:
        pattern = re.compile(rf"{base}{'(?:.*/)?' if anywhere else ''}{inner}\Z", re.DOTALL)
    except re.error:
        return None
    return Rule(pattern, negated, folders_only)


def _expression(text: str) -> str:
    """A glob as a regular expression: ``**`` any folders, ``*`` and ``?`` within one name."""
    parts, at = [], 0
    while at < len(text):
        if text.startswith("**/", at) and (at == 0 or text[at - 1] == "/"):
            parts.append("(?:.*/)?")
            at += 3
        elif text[at] == "*":
            any_folders = text.startswith("**", at)
            parts.append(".*" if any_folders else "[^/]*")
            at += 2 if any_folders else 1
        elif text[at] == "[" and (end := text.find("]", at + 2)) > 0:
            inside = text[at + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            parts.append("[" + ("^" + inside[1:] if inside[0] in "!^" else inside) + "]")
            at = end + 1
        else:
            at += text[at] == "\\" and at + 1 < len(text)
            parts.append("[^/]" if text[at] == "?" and text[at - 1 : at] != "\\" else re.escape(text[at]))
            at += 1
    return "".join(parts)
