"""Calls: past sessions, and the turns of one session."""

from __future__ import annotations

import os
from typing import Any

from autology.core.conversations import past_sessions
from autology.model.agents import agent_of
from autology.model.conversation import Call, Turn
from autology.model.hit import Source
from autology.model.node import turn_of
from autology.render.sessions import resume_command
from autology.text.sanitising import clean_line, visible
from autology.web.snapshot import title_of
from autology.wire.project import Project

Json = dict[str, Any]

TURNS = 150
"""Turns per reply."""
NODES = 200
TEXT_LIMIT, OUTPUT_LIMIT = 20_000, 4_000
"""Maximum characters shown of a person's or assistant's turn, and of a tool's output or code."""


def sessions(project: Project, everywhere: bool = False) -> Json:
    """Return the latest sessions of this project, or of all, latest first."""
    notes = list(project.conversation_search.refresh())
    latest = past_sessions.sessions(project.conversations, *(() if everywhere else project.names))
    listed = [
        {
            "id": entry.id,
            "question": clean_line(entry.question, 200),
            "began": entry.began,
            "ended": entry.ended,
            "passages": entry.passages,
            "branch": clean_line(entry.branch or "", 100),
            "project": clean_line(os.path.basename(entry.folder.replace("\\", "/").rstrip("/")), 100),
        }
        for entry in latest
    ]
    return {"sessions": listed, "degraded": notes}


def session(project: Project, id: str, first: int = 0, turn: str | None = None) -> Json:
    """Return the turns of a session from number *first* on, or from shortly before *turn*."""
    if turn:
        first = max(0, past_sessions.number_of(project.conversations, id, turn) - TURNS // 3)
    part = past_sessions.replay(project.conversations, id, max(0, first), TURNS)
    whole = past_sessions.session(project.conversations, id)
    return {
        "session": clean_line(id, 100),
        "question": clean_line(whole.question, 200) if whole else "",
        "began": whole.began if whole else "",
        "agent": agent_of(part.transcript),
        "resume": resume_command(whole.folder, part.resume) if whole else "",
        "first": part.first,
        "more": part.more,
        "turns": [_turn(entry) for entry in part.turns],
        "nodes": _captured(project, id),
    }


def _turn(turn: Turn) -> Json:
    limit = OUTPUT_LIMIT if turn.role == "tool" else TEXT_LIMIT
    text = visible(turn.text)
    shown: Json = {"id": turn.id, "role": turn.role, "at": turn.at, "text": text[:limit]}
    if len(text) > limit:
        shown["cut"] = len(text) - limit
    if turn.calls:
        shown["calls"] = [_call(call) for call in turn.calls]
    if turn.tool:
        shown["tool"] = clean_line(turn.tool, 100)
    return {**shown, "failed": True} if turn.failed else shown


def _call(call: Call) -> Json:
    files = [clean_line(path, 300) for path in call.files[:20]]
    code = visible(call.code)[:OUTPUT_LIMIT]
    return {"tool": clean_line(call.tool, 100), "about": clean_line(call.about, 300), "files": files, "code": code}


def _captured(project: Project, session: str) -> list[Json]:
    """Return the nodes captured in a session, each with its turn if known."""
    graph = project.graph
    sources = graph.read_current(lambda: graph.index.by_ids(graph.index.of_session([session], NODES)))
    turns = {node.id: turn_of(node) for node, _ in graph.readable(list(sources.values()))}
    return [_named(source, turns.get(source.id)) for source in sources.values()]


def _named(source: Source, turn: str | None) -> Json:
    return {"id": source.id, "title": title_of(source), "type": source.type, "turn": turn}
