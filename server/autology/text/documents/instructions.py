"""Instructions to coding agents: texts that the client itself loads, and that no tool changes."""

from __future__ import annotations

import re

_NAMES = frozenset(("claude.md", "claude.local.md", "agents.md", "agents.override.md", "gemini.md"))
_PLACES = re.compile(
    r"(?:.*/)?(?:\.claude/rules/.*\.md|\.cursor/rules/.*\.mdc?|\.windsurf/rules/.*\.md"
    r"|\.github/copilot-instructions\.md)\Z",
    re.IGNORECASE,
)
RULE_FILE = ".mdc"
"""The extension of Cursor's rules: markdown with frontmatter."""


def is_instruction(path: str) -> bool:
    """Whether the text at *path* instructs coding agents."""
    return path.rpartition("/")[2].lower() in _NAMES or _PLACES.match(path) is not None
