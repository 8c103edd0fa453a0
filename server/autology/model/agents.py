"""Which coding agent a transcript is of: the first part of its name, but for Claude Code's own."""

from __future__ import annotations

OWN = "Claude Code"
_SIGN = "@"
"""No folder of Claude Code's transcripts has it in its name."""


def name_of(label: str, inner: str) -> str:
    """Return the name of the transcript that the agent *label* calls *inner*."""
    return f"{_SIGN}{label}/{inner}"


def agent_of(transcript: str) -> str:
    """Return the agent whose transcript that is."""
    return transcript.partition("/")[0].removeprefix(_SIGN) if transcript.startswith(_SIGN) else OWN


def in_agent(transcript: str) -> str:
    """Return " in" and the agent, for a transcript of another agent than Claude Code; else ""."""
    return f" in {agent_of(transcript)}" if is_foreign(transcript) else ""


def is_foreign(transcript: str) -> bool:
    """Whether a transcript is of another agent than Claude Code."""
    return transcript.startswith(_SIGN)
