"""What recalling returns, as data and as prose: one way for every front."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from autology.core.recall.code_context import CodeAnswer
from autology.core.recall.passage import Opened
from autology.core.recall.recollection import Recalled, Recollection
from autology.core.recall.summary import ago
from autology.core.recall.unified import DOCUMENTS, Call, Piece, Relation, Unified
from autology.model.entry import CODE
from autology.model.exchange import Chunk
from autology.model.hit import Source
from autology.model.node import TITLE_LIMIT
from autology.text.excerpts import excerpt
from autology.text.fence import clean_line, visible

Json = dict[str, Any]

BUDGET = 32_000
"""Characters of a whole answer, some 8,000 tokens; a client saves more than 50,000 to a file instead of showing it."""
CONTENT = 1_500
"""Characters of a result's text; the rest is read with its id."""
SHORT = 300
"""Characters of a result's text where the budget is short: then only the stretch that answers."""
LEAST = 750
"""Characters that a short result takes."""
PREVIEW = 200
READS = "retrieve_memory_chunk"


# ---- data ----------------------------------------------------------------------------------------


def recalled(found: Recalled) -> Json:
    """Return an answer: ``{"results": […], "summary": …, "stats": {…}}``, within a budget."""
    entry: Json = {
        "results": _budgeted([partial(_result, result, found.query) for result in found.results]),
        "summary": clean_line(found.summary, 2_000),
        "stats": {
            "total_results": found.total,
            "sources": found.sources,
            "time_range": {"oldest": found.oldest, "newest": found.newest},
        },
    }
    if found.suggestions:
        entry["suggestions"] = [{"tool": tool, "arguments": arguments} for tool, arguments in found.suggestions]
    return {**entry, "degraded": _notes(found.notes)} if found.notes else entry


def unified(found: Unified) -> Json:
    """Return an answer: ``{"results": […], "intent": {…}, "explanation": …, "suggestions": […]}``, within a budget."""
    named = found.intent.entities
    entry: Json = {
        "results": _budgeted([partial(_piece, piece, found.query) for piece in found.pieces]),
        "intent": {
            "primary_intent": found.intent.aim.value,
            "search_types": list(found.intent.searches),
            "entities": {
                "functions": list(named.functions),
                "files": list(named.files),
                "concepts": list(named.concepts),
                "time_references": list(named.time_references),
            },
            "confidence": found.intent.confidence,
        },
        "explanation": clean_line(found.explanation, 2_000),
        "suggestions": [_call(call) for call in found.suggestions],
    }
    if found.code:
        entry["code_relationships"] = _code(found, found.code)
    return {**entry, "degraded": _notes(found.notes)} if found.notes else entry


def _code(found: Unified, answer: CodeAnswer) -> Json:
    """Return the code graph's answer, the nodes that name its files, and what past sessions wrote into them."""
    entry = answer.data()
    if found.speaking:
        entry["knowledge"] = [_node(source) for source in found.speaking]
    if found.written:
        entry["conversations"] = [
            {"id": chunk.id, "path": clean_line(chunk.path or "", 300), "timestamp": chunk.at}
            for chunk in found.written
        ]
    return entry


def opened(found: Opened) -> Json:
    """Return a passage whole, with what stands around it and the nodes that came of it."""
    entry = _chunk(found.chunk)
    if found.before:
        entry["before"] = [_chunk(chunk) for chunk in found.before]
    if found.after:
        entry["after"] = [_chunk(chunk) for chunk in found.after]
    if found.nodes:
        entry["captured_from_it"] = [_node(source) for source in found.nodes]
    if found.others:
        entry["captured_in_session"] = [_node(source) for source in found.others]
    return {**entry, "degraded": _notes(found.notes)} if found.notes else entry


def _result(result: Recollection, query: str, whole: bool) -> Json:
    """Return a result in full, or in short."""
    chunk = result.chunk
    entry: Json = {"id": chunk.id, "type": chunk.kind, **_text(chunk.text, query, whole), "context": _context(chunk)}
    if whole:
        beside = (("before", result.before), ("after", result.after))
        entry["context"] |= {name: visible(text) for name, text in beside if text}
    entry |= {"relevance_score": round(result.relevance, 3), "source": result.source}
    entry["highlights"] = [visible(each) for each in result.highlights] if whole else []
    if result.solution:
        entry["solution"] = _solution(result.solution)
    return entry


def _piece(piece: Piece, query: str, whole: bool) -> Json:
    """Return a piece in full, or in short."""
    entry: Json = {"id": piece.id, "type": piece.type}
    if piece.title:
        entry["title"] = clean_line(piece.title, TITLE_LIMIT)
    entry |= _text(piece.text, query, whole)
    entry["context"] = _context(piece.chunk) if piece.chunk else {"path": visible(piece.place), "timestamp": piece.at}
    entry |= {"relevance_score": round(piece.relevance, 3), "source": piece.source}
    if piece.via:
        entry["via"] = clean_line(piece.via, 300)
    if piece.also:
        entry["also"] = [{"id": each.id, "type": each.type, "path": visible(each.place)} for each in piece.also]
    entry["highlights"] = [visible(each) for each in piece.highlights] if whole else []
    if piece.relations and whole:
        entry["relations"] = [_relation(each) for each in piece.relations]
    return entry


def _budgeted(results: Sequence[Callable[[bool], Json]]) -> list[Json]:
    """Return each result in full while there is room for the others in short; what does not fit even so, not at all."""
    left = BUDGET
    shown: list[Json] = []
    full = True
    for number, result in enumerate(results):
        entry = result(full)
        if full and _size(entry) + LEAST * (len(results) - number - 1) > left:
            full = False
            entry = result(False)
        left -= _size(entry)
        if left < 0:
            break
        shown.append(entry)
    return shown


def _size(entry: Json) -> int:
    return len(json.dumps(entry, ensure_ascii=False))


def _text(text: str, query: str, whole: bool) -> Json:
    """Return a text that is cut where it is longer: at its end, or where little fits to the stretch that answers."""
    plain = visible(text)
    if len(plain) <= (CONTENT if whole else SHORT):
        return {"content": plain}
    cut = plain[:CONTENT].rstrip() + "…" if whole else excerpt(plain, query, SHORT)
    return {"content": cut, "content_truncated": True}


def _context(chunk: Chunk) -> Json:
    told: Json = {
        "session_id": chunk.session,
        "project_path": visible(chunk.folder),
        "timestamp": chunk.at,
        "participants": list(chunk.participants),
        "trust": chunk.trust,
    }
    if chunk.question:
        told["question"] = clean_line(chunk.question, PREVIEW)
    for name, value in (("path", chunk.path), ("language", chunk.language), ("branch", chunk.branch)):
        if value:
            told[name] = clean_line(value, 300)
    return told


def _chunk(chunk: Chunk) -> Json:
    told: Json = {"id": chunk.id, "type": chunk.kind, "content": visible(chunk.text)}
    return {**told, "context": {**_context(chunk), "turn": chunk.turn}}


def _solution(chunk: Chunk) -> Json:
    told: Json = {"id": chunk.id, "type": chunk.kind, "content": visible(chunk.text[: SHORT * 2])}
    return {**told, "path": clean_line(chunk.path, 300)} if chunk.path else told


def _node(source: Source) -> Json:
    return {"id": source.id, "type": source.type, "title": clean_line(source.title, TITLE_LIMIT)}


def _relation(relation: Relation) -> Json:
    return {
        "source": relation.source,
        "source_title": clean_line(relation.source_title, TITLE_LIMIT),
        "type": relation.type,
        "target": relation.target,
        "target_title": clean_line(relation.target_title, TITLE_LIMIT),
    }


def _call(call: Call) -> Json:
    return {"tool": call.tool, "arguments": dict(call.arguments), "why": clean_line(call.why, PREVIEW)}


def _notes(notes: Sequence[str]) -> list[str]:
    return [clean_line(note, 1_000) for note in notes]


# ---- prose ---------------------------------------------------------------------------------------


def recalled_text(found: Recalled, now: datetime) -> str:
    """Return an answer in words: the summary, discussions and code, what to know, and where it all is from."""
    told = [(r.chunk.kind, _told(r.chunk, r.relevance, found.query, now)) for r in found.results]
    discussions = [text for kind, text in told if kind != CODE]
    code = [text for kind, text in told if kind == CODE]
    parts = [clean_line(found.summary, 2_000)]
    parts += _section("Previous Discussions", discussions) + _section("Related Code", code)
    parts += [f"Note: {note}" for note in _notes(found.notes)]
    if found.suggestions:
        parts.append(_suggested([Call(tool, arguments, "") for tool, arguments in found.suggestions]))
    if found.results:
        parts.append(_sources([result.chunk.folder for result in found.results], found.oldest, found.newest))
    return "\n\n".join(parts)


def unified_text(found: Unified, now: datetime) -> str:
    """Return an answer in words: discussions, code, relationships, knowledge, how was searched, what to ask next."""
    query = found.query
    chunks = [(piece.chunk, piece.relevance) for piece in found.pieces if piece.chunk]
    others = [piece for piece in found.pieces if not piece.chunk]
    relations = list(dict.fromkeys(relation for piece in others for relation in piece.relations))
    things = f"{found.total} {'thing' if found.total == 1 else 'things'}"
    parts = [f"I found {things} about “{clean_line(query, 300)}”." if found.total else _nothing(query)]
    parts += _section("Previous Discussions", [_told(c, r, query, now) for c, r in chunks if c.kind != CODE])
    parts += _section("Related Code", [_told(c, r, query, now) for c, r in chunks if c.kind == CODE])
    of_code = found.code.lines() if found.code else []
    of_code += [f"- knowledge about it: {clean_line(each.title, TITLE_LIMIT)}" for each in found.speaking]
    of_code += [f"- written in a past session: {READS} {chunk.id} ({chunk.at})" for chunk in found.written]
    parts += _section("Code Relationships", [*of_code, *(_related(relation) for relation in relations)], "\n")
    parts += _section("Knowledge", [_known(piece, query) for piece in others])
    parts.append(f"**How I searched:** {clean_line(found.explanation, 2_000)}")
    parts += [f"Note: {note}" for note in _notes(found.notes)]
    if found.suggestions:
        parts.append(_suggested(found.suggestions))
    if found.pieces:
        stamps = [piece.at for piece in found.pieces]
        parts.append(_sources([piece.place for piece in found.pieces], min(stamps), max(stamps)))
    return "\n\n".join(parts)


def _nothing(query: str) -> str:
    return f"I couldn't find anything about “{clean_line(query, 300)}”."


def _section(title: str, entries: Sequence[str], between: str = "\n\n") -> list[str]:
    return [f"### {title}\n\n{between.join(entries)}"] if entries else []


def _told(chunk: Chunk, relevance: float, query: str, now: datetime) -> str:
    where = clean_line(chunk.path or chunk.folder, 200)
    who = f"by the {chunk.trust}" if chunk.trust != "tool" else "put out by a tool"
    first = f"**{ago(chunk.at, now)} in {where}** ({chunk.kind}, {who}, {relevance:.2f})"
    return f"{first}\n{_preview(chunk.text, query)}\n*read it whole: {READS} {chunk.id}*"


def _known(piece: Piece, query: str) -> str:
    kind = "document" if piece.source == DOCUMENTS else piece.type
    via = f", {clean_line(piece.via, 200)}" if piece.via else ""
    same = f", the same as {', '.join(clean_line(each.place, 200) for each in piece.also)}" if piece.also else ""
    facts = f"{kind}, {clean_line(piece.place, 200)}, {piece.relevance:.2f}{via}{same}"
    return f"**{clean_line(piece.title, TITLE_LIMIT)}** ({facts})\n{_preview(piece.text, query)}"


def _related(relation: Relation) -> str:
    ends = (clean_line(each, TITLE_LIMIT) for each in (relation.source_title, relation.target_title))
    source, target = (title or "(no such node)" for title in ends)
    return f"- {source} —[{relation.type}]→ {target}"


def _preview(text: str, query: str) -> str:
    return clean_line(excerpt(visible(text), query, PREVIEW - 2), PREVIEW)


def _suggested(calls: Sequence[Call]) -> str:
    lines = []
    for call in calls:
        why = f": {clean_line(call.why, PREVIEW)}" if call.why else ""
        lines.append(f"- {typed(call.tool, call.arguments)}{why}")
    return "\n".join(["**Next:**", *lines])


def typed(tool: str, arguments: Mapping[str, object]) -> str:
    """Return the call of a tool with its arguments, or a command of the terminal as it is typed."""
    if " " in tool:
        return f"{tool} {shlex.join(str(value) for value in arguments.values())}"
    return f"{tool} {json.dumps(dict(arguments), ensure_ascii=False)}"


def _sources(places: Sequence[str], oldest: str | None, newest: str | None) -> str:
    distinct = list(dict.fromkeys(clean_line(place, 200) for place in places))
    more = f" and {len(distinct) - 5} more" if len(distinct) > 5 else ""
    when = f", from {oldest} to {newest}" if oldest and newest else ""
    return f"Sources: {', '.join(distinct[:5])}{more}{when}."
