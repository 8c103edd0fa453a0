"""Homes with recorded sessions of other agents than Claude Code."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

RECORDED = Path(__file__).parents[1] / "fixtures" / "agents"
"""A folder per agent, in it one per version: sessions of the real client with a scripted model.

The clients' own prompts are shortened; ``*.sql`` is the dump of a database.
"""
PLACES = {"cline": ".cline", "codex": ".codex", "copilot": ".copilot", "gemini": ".gemini", "opencode": ".local/share"}
"""Where an agent's recorded folders lie below the home folder; otherwise in it."""


def recorded() -> list[tuple[str, str]]:
    """Return every recorded agent and version."""
    return sorted((version.parent.name, version.name) for version in RECORDED.glob("*/*"))


def install(home: Path, agent: str, version: str) -> Path:
    """Put the recorded sessions where the agent keeps them; return that folder."""
    place = home / PLACES.get(agent, "")
    shutil.copytree(RECORDED / agent / version, place, dirs_exist_ok=True)
    for dump in place.rglob("*.sql"):
        folder = place / "opencode"
        folder.mkdir(exist_ok=True)
        with closing(sqlite3.connect(folder / f"{dump.stem}.db")) as db:
            db.executescript(dump.read_text(encoding="utf-8"))
        dump.unlink()
    return place
