"""Definitions in languages with braces, and their extent: functions, methods, types, macros."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autology.text.source_code.edits import defined

_LONGEST = 40
"""Lines of a function's signature."""
_NO_HEAD = re.compile(r"\b(?:return|new|else|throw|await|case|if|while|for|yield|typeof|goto|in|of|do|delete)\b")
_SCOPED = re.compile(r"^(?:pub\([^)]*\)|template\s*<.*?>|typedef|internal|override|open|sealed|data)\s+")
_REST = re.compile(
    r"[^;{}=\n]*(?:\n\s*(?::|throws\b|where\b|->|const\b|noexcept\b|override\b)[^;{}=\n]*)*\s*(?:\{|=>\s*\{)"
)
_SPOKEN_OF = r"^(?:\w+\s+)*?(?:struct|enum|union|class)\s+{name}\b\s*(?!extends\b|implements\b|where\b|final\b)[\w*&]"
_TYPE = re.compile(r"[ \t]*[A-Za-z_][\w \t<>:*&]*[\w>*&][ \t]*")
"""A line above a function's name that has only its return type."""
_STEP = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[(){}\[\]]")


def defines(lines: Sequence[str], at: int, name: str) -> bool:
    """Whether *name* is defined in the line *at*."""
    line = lines[at].strip()
    while match := _SCOPED.match(line):
        line = line[match.end() :]
    word = re.escape(name)
    if defined(line) == name:
        return not re.match(_SPOKEN_OF.format(name=word), line)
    if re.match(rf"#\s*define\s+{word}\b|\}}\s*{word}\s*;|(?:[\w$]+\.)+{word}\s*=(?!=)|union\s+{word}\s*\{{?$", line):
        return True
    if re.match(rf"[\"']?{word}[\"']?\s*:\s*(?:async\s+)?(?:function\b|\([^()]*\)\s*=>|[\w$]+\s*=>)", line):
        return True
    head = re.match(rf"(?P<before>[^=;(){{}}\"'`]*?)(?<![\w$.]){word}\s*(?:<[^(){{}};]*>)?\s*(?=\()", line)
    if head is None or _NO_HEAD.search(head["before"]):
        return False
    text = "\n".join([line[head.end() :], *lines[at + 1 : at + _LONGEST]])
    end = _closing(text, "(", ")")
    return end >= 0 and _REST.match(text, end) is not None


def block(lines: Sequence[str], at: int) -> list[str] | None:
    """Return the lines of the definition in the line *at*, up to its closing brace; None without clear braces."""
    if lines[at].lstrip().startswith("#"):
        end = at
        while end + 1 < len(lines) and lines[end].rstrip().endswith("\\"):
            end += 1
        return list(lines[at : end + 1])
    if lines[at].lstrip().startswith("}"):
        first = next((back for back in range(at, -1, -1) if lines[back].startswith("typedef")), None)
        return list(lines[first : at + 1]) if first is not None else None
    text = "\n".join(lines[at:])
    opened = _opening(text)
    end = _closing(text, "{", "}", opened) if opened >= 0 else -1
    if end < 0:
        return None
    first = at
    while first and (lines[first - 1].lstrip().startswith(("@", "#[")) or _TYPE.fullmatch(lines[first - 1])):
        first -= 1  # a decorator, or the return type
    return [*lines[first:at], *text[:end].split("\n"), text[end:].partition("\n")[0]]


def _opening(text: str) -> int:
    """Return the position of the first brace outside of brackets, -1 if the statement ends before."""
    depth = 0
    for match in re.compile(rf"{_STEP.pattern}|;|\n[ \t]*\n").finditer(text):
        step = match[0]
        depth += (step in "([") - (step in ")]") if len(step) == 1 else 0
        if depth == 0 and step == "{":
            return match.start()
        if depth <= 0 and (step == ";" or not step.strip()):
            return -1
    return -1


def _closing(text: str, opens: str, closes: str, start: int = 0) -> int:
    """Return the position after the bracket that closes the one at *start*; -1 if never closed."""
    depth = 0
    for match in _STEP.finditer(text, start):
        depth += (match[0] == opens) - (match[0] == closes)
        if depth == 0 and match[0] == closes:
            return match.end()
    return -1
