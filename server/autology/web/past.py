"""Calls: past sessions, and one of them to be read from its first word to its last."""

from __future__ import annotations

from typing import Any

from autology.core.conversations import replay
from autology.model.exchange import Call, Turn
from autology.model.hit import Source
from autology.model.node import TITLE_LIMIT, turn_of
from autology.text.fence import clean_line, visible
from autology.text.redact import redact
from autology.web.project import Project

Json = dict[str, Any]

TURNS = 150
"""Turns of one answer."""
NODES = 200
SAID, PUT_OUT = 20_000, 4_000
"""Characters shown of what somebody said, and of what a tool put out or wrote."""


def sessions(project: Project) -> Json:
    """Return the latest sessions of this project, the last first."""
    notes = list(project.memory.refresh())
    found = replay.sessions(project.conversations, *project.names)
    listed = [
        {
            "id": each.id,
            "question": clean_line(each.question, 200),
            "began": each.began,
            "ended": each.ended,
            "passages": each.passages,
            "branch": clean_line(each.branch or "", 100),
        }
        for each in found
    ]
    return {"sessions": listed, "degraded": notes}


def session(project: Project, id: str, first: int = 0, turn: str | None = None) -> Json:
    """Return turns of a session from the number *first* on, or from shortly before the one called *turn*."""
    if turn:
        first = max(0, replay.number_of(project.conversations, id, turn) - TURNS // 3)
    found = replay.replay(project.conversations, id, max(0, first), TURNS)
    return {
        "session": clean_line(id, 100),
        "first": found.first,
        "more": found.more,
        "turns": [_turn(each) for each in found.turns],
        "nodes": _captured(project, id),
    }


def _turn(turn: Turn) -> Json:
    most = PUT_OUT if turn.role == "tool" else SAID
    text = visible(turn.text)
    told: Json = {"id": turn.id, "role": turn.role, "at": turn.at, "text": text[:most]}
    if len(text) > most:
        told["cut"] = len(text) - most
    if turn.calls:
        told["calls"] = [_call(call) for call in turn.calls]
    if turn.tool:
        told["tool"] = clean_line(turn.tool, 100)
    return {**told, "failed": True} if turn.failed else told


def _call(call: Call) -> Json:
    files = [clean_line(path, 300) for path in call.files[:20]]
    code = visible(call.code)[:PUT_OUT]
    return {"tool": clean_line(call.tool, 100), "about": clean_line(call.about, 300), "files": files, "code": code}


def _captured(project: Project, session: str) -> list[Json]:
    """Return the nodes that came of a session, each with its turn where that is known."""
    graph = project.graph
    sources = graph.asked(lambda: graph.index.by_ids(graph.index.of_session([session], NODES)))
    turns = {node.id: turn_of(node) for node, _ in graph.readable(list(sources.values()))}
    return [_named(source, turns.get(source.id)) for source in sources.values()]


def _named(source: Source, turn: str | None) -> Json:
    title = clean_line(redact(source.title)[0], TITLE_LIMIT)
    return {"id": source.id, "title": title, "type": source.type, "turn": turn}
