"""``autology hub``: share notes, memories and conversations on a team hub."""

from __future__ import annotations

EXAMPLES = """\
autology hub init
autology hub status
autology hub push
autology hub pull
autology hub grant ada writer
autology hub consent give"""
JSON = """\
see each action's --help"""
