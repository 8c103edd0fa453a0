"""Hooks in other clients than Claude Code: their input and output are the same, but for what is translated here."""

from __future__ import annotations

import os

_SKILLS = {" (/autology:explore)": "", "/autology:capture": "autology_capture"}
"""What names skills, which other clients do not have, and the tools that these use."""
_CONTEXT, _CONTEXT_END = "<hook_context>", "</hook_context>"
"""Around what a hook at the session's start added, which Gemini CLI puts before the first prompt."""
_SESSION_FILE = "session-"
"""How Gemini CLI begins the names of session files, by which their sessions are known."""


def translated(request: dict[str, object]) -> dict[str, object]:
    """Return the input of a hook with the id under which the session is indexed, and with what the user typed."""
    transcript, prompt = request.get("transcript_path"), request.get("prompt")
    name = os.path.basename(transcript) if isinstance(transcript, str) else ""
    if name.startswith(_SESSION_FILE):
        request = {**request, "session_id": name.partition(".")[0]}
    if isinstance(prompt, str) and prompt.startswith(_CONTEXT):
        request = {**request, "prompt": prompt.partition(_CONTEXT_END)[2].strip() or prompt}
    return request


def named(answer: str | tuple[str, ...]) -> str | tuple[str, ...]:
    """Return a hook's answer with tools where it names skills."""
    if isinstance(answer, str):
        return _named(answer)
    return tuple(map(_named, answer))


def _named(text: str) -> str:
    for skill, tool in _SKILLS.items():
        text = text.replace(skill, tool)
    return text
