"""Rendering of recall results as JSON and prose, for all front ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Any

from autology.core.likelihood import NEAREST, Verdict
from autology.core.recall.amendment import Amendment
from autology.core.recall.code_context import CodeGraphAnswer
from autology.core.recall.conversation_results import Recalled, Recollection
from autology.core.recall.passage import Opened
from autology.core.recall.summary import ago, nearness
from autology.core.recall.unified_answer import DOCUMENTS, TitledRelation, UnifiedAnswer, UnifiedResult
from autology.core.recall.unified_merge import kind_of
from autology.model.agents import agent_of, is_foreign, machine_of, origin_of
from autology.model.conversation import Chunk
from autology.model.entry import CODE
from autology.model.hit import Source
from autology.model.next_step import NextStep, Sentence
from autology.model.node import TITLE_LIMIT
from autology.ranking.answer_wording import left_out
from autology.render.degradation_notes import lines, noted
from autology.render.next_steps import for_tools, tool_call
from autology.render.search_explanation import Suggestion, explanation, suggestions
from autology.render.verdicts import verdict_data, verdict_text
from autology.text.markdown.snippets import excerpt
from autology.text.sanitising import clean_line, visible

Json = dict[str, Any]

BUDGET = 32_000
"""Characters per answer, some 8,000 tokens; the client saves more than 50,000 to a file instead of showing it."""
CONTENT = 1_500
"""Maximum characters of a result's text; the rest is read by its id."""
SHORT = 300
"""Characters of a result's text when the budget is short: only the best excerpt."""
SHORT_SIZE = 750
"""Estimated characters of a short result."""
PREVIEW = 200
READ_TOOL = "retrieve_memory_chunk"


# ---- data ----------------------------------------------------------------------------------------


def recalled(answer: Recalled) -> Json:
    """Return an answer: ``{"results": […], "summary": …, "stats": {…}}``, within the budget."""
    entry: Json = {
        "results": _budgeted([partial(_result, result, answer.query) for result in answer.results]),
        "summary": clean_line(answer.summary, 2_000),
        "stats": {
            "total_results": answer.total,
            "sources": answer.sources,
            "time_range": {"oldest": answer.oldest, "newest": answer.newest},
        },
    }
    entry |= _verdict(answer.verdict, [_result(result, answer.query, False) for result in answer.nearest])
    entry |= _more(answer)
    if answer.suggestions:
        entry["suggestions"] = [_call(step) for step in answer.suggestions]
    return noted(entry, answer.notes)


def unified(answer: UnifiedAnswer) -> Json:
    """Return an answer: ``{"results": […], "intent": {…}, "explanation": …, "suggestions": […]}``, bounded."""
    intent = answer.request.intent
    entities = intent.entities
    entry: Json = {
        "results": _budgeted([partial(_unified_result, result, answer.query) for result in answer.results]),
        "intent": {
            "primary_intent": intent.aim.value,
            "search_types": list(intent.searches),
            "entities": {
                "functions": list(entities.functions),
                "files": list(entities.files),
                "concepts": list(entities.concepts),
                "time_references": list(entities.time_references),
            },
            "confidence": intent.confidence,
        },
        "explanation": clean_line(explanation(answer), 2_000),
        "suggestions": [
            {**_call(suggestion.step), "why": clean_line(suggestion.why, PREVIEW)} for suggestion in suggestions(answer)
        ],
    }
    entry |= _verdict(answer.verdict, [_unified_result(result, answer.query, False) for result in answer.nearest])
    entry |= _more(answer)
    if not answer.options.merged:
        entry["lists"] = {kind: [result.id for result in of_kind] for kind, of_kind in groupby(answer.results, kind_of)}
    if answer.code:
        entry["code_relationships"] = _code(answer, answer.code)
    return noted(entry, answer.notes)


def _code(answer: UnifiedAnswer, code: CodeGraphAnswer) -> Json:
    """Return the code graph's answer, the nodes that name its files, and past sessions' code in them."""
    entry = code.data()
    if answer.nodes:
        entry["knowledge"] = [_node(source) for source in answer.nodes]
    if answer.chunks:
        entry["conversations"] = [
            {"id": chunk.id, "path": clean_line(chunk.path or "", 300), "timestamp": chunk.at}
            for chunk in answer.chunks
        ]
    return entry


def opened(passage: Opened) -> Json:
    """Return a complete passage, with its neighbours and the nodes captured from it."""
    entry = _chunk(passage.chunk)
    if passage.before:
        entry["before"] = [_chunk(chunk) for chunk in passage.before]
    if passage.after:
        entry["after"] = [_chunk(chunk) for chunk in passage.after]
    if passage.nodes:
        entry["captured_from_it"] = [_node(source) for source in passage.nodes]
    if passage.others:
        entry["captured_in_session"] = [_node(source) for source in passage.others]
    return noted(entry, passage.notes)


def _result(result: Recollection, query: str, full: bool) -> Json:
    """Return a result in full or short form."""
    chunk = result.chunk
    entry: Json = {"id": chunk.id, "type": chunk.kind, **_text(chunk.text, query, full), "context": _context(chunk)}
    if full:
        neighbours = (("before", result.before), ("after", result.after))
        entry["context"] |= {name: visible(text) for name, text in neighbours if text}
    entry |= {"relevance_score": round(result.relevance, 3), "source": result.source}
    entry["highlights"] = [visible(text) for text in result.highlights] if full else []
    if result.amended:
        entry["amended"] = _amended(result.amended)
    if result.solution:
        entry["solution"] = _solution(result.solution)
    return entry


def _unified_result(result: UnifiedResult, query: str, full: bool) -> Json:
    """Return a result of unified search in full or short form."""
    entry: Json = {"id": result.id, "type": result.type}
    if result.title:
        entry["title"] = clean_line(result.title, TITLE_LIMIT)
    entry |= _text(result.text, query, full)
    entry["context"] = (
        _context(result.chunk) if result.chunk else {"path": visible(result.path), "timestamp": result.at or None}
    )
    entry |= {"relevance_score": round(result.relevance, 3), "source": result.source}
    if result.amended:
        entry["amended"] = _amended(result.amended)
    if result.via:
        entry["via"] = clean_line(result.via, 300)
    if result.also:
        entry["also"] = [{"id": copy.id, "type": copy.type, "path": visible(copy.path)} for copy in result.also]
    entry["highlights"] = [visible(text) for text in result.highlights] if full else []
    if result.relations and full:
        entry["relations"] = [_relation(relation) for relation in result.relations]
    return entry


def _budgeted(results: Sequence[Callable[[bool], Json]]) -> list[Json]:
    """Render results in full while the others still fit in short form; drop those that do not fit at all."""
    remaining = BUDGET
    shown: list[Json] = []
    full = True
    for number, result in enumerate(results):
        entry = result(full)
        if full and _size(entry) + SHORT_SIZE * (len(results) - number - 1) > remaining:
            full = False
            entry = result(False)
        remaining -= _size(entry)
        if remaining < 0:
            break
        shown.append(entry)
    return shown


def _size(entry: Json) -> int:
    return len(json.dumps(entry, ensure_ascii=False))


def _text(text: str, query: str, full: bool) -> Json:
    """Truncate a long text: at its end, or in short form to the best excerpt."""
    plain = visible(text)
    if len(plain) <= (CONTENT if full else SHORT):
        return {"content": plain}
    truncated = plain[:CONTENT].rstrip() + "…" if full else excerpt(plain, query, SHORT)
    return {"content": truncated, "content_truncated": True}


def _context(chunk: Chunk) -> Json:
    fields: Json = {
        "session_id": chunk.session,
        "project_path": visible(chunk.folder),
        "timestamp": chunk.at,
        "participants": list(chunk.participants),
        "trust": chunk.trust,
    }
    if chunk.question:
        fields["question"] = clean_line(chunk.question, PREVIEW)
    if is_foreign(chunk.transcript):
        fields["agent"] = clean_line(agent_of(chunk.transcript), 100)
    if machine := machine_of(chunk.transcript):
        fields["machine"] = clean_line(machine, 100)
    for name, value in (("path", chunk.path), ("language", chunk.language), ("branch", chunk.branch)):
        if value:
            fields[name] = clean_line(value, 300)
    return fields


def _chunk(chunk: Chunk) -> Json:
    entry: Json = {"id": chunk.id, "type": chunk.kind, "content": visible(chunk.text)}
    return {**entry, "context": {**_context(chunk), "turn": chunk.turn}}


def _solution(chunk: Chunk) -> Json:
    entry: Json = {"id": chunk.id, "type": chunk.kind, "content": visible(chunk.text[: SHORT * 2])}
    return {**entry, "path": clean_line(chunk.path, 300)} if chunk.path else entry


def _amended(amendment: Amendment) -> Json:
    return {"timestamp": amendment.at, "by": amendment.id, "now": clean_line(visible(amendment.sentence), SHORT)}


def _node(source: Source) -> Json:
    return {"id": source.id, "type": source.type, "title": clean_line(source.title, TITLE_LIMIT)}


def _relation(relation: TitledRelation) -> Json:
    return {
        "source": relation.source,
        "source_title": clean_line(relation.source_title, TITLE_LIMIT),
        "type": relation.type,
        "target": relation.target,
        "target_title": clean_line(relation.target_title, TITLE_LIMIT),
    }


def _call(step: NextStep) -> Json:
    tool, arguments = tool_call(step)
    return {"tool": tool, "arguments": arguments}


# ---- prose ---------------------------------------------------------------------------------------


def recalled_text(answer: Recalled, now: datetime) -> str:
    """Return an answer as prose: summary, discussions, code, notes, sources."""
    previews = [
        (
            result.chunk.kind,
            _chunk_text(result.chunk, result.relevance, answer.query, now) + _amended_text(result.amended),
        )
        for result in answer.results
    ]
    discussions = [text for kind, text in previews if kind != CODE]
    code = [text for kind, text in previews if kind == CODE]
    parts = [clean_line(answer.summary, 2_000), *said_of_nothing(answer)]
    parts += _section("Previous Discussions", discussions) + _section("Related Code", code)
    parts += _more(answer).values()
    parts += [f"Note: {note}" for note in lines(answer.notes)]
    if answer.suggestions:
        parts.append(_suggested([Suggestion(step) for step in answer.suggestions]))
    if answer.results:
        parts.append(_sources([result.chunk.folder for result in answer.results], answer.oldest, answer.newest))
    return "\n\n".join(parts)


def said_of_nothing(answer: Recalled) -> list[str]:
    """Return what comes nearest, and what nothing speaks of, where nothing is shown as a result."""
    if answer.results:
        return []
    near = clean_line(nearness(answer.nearest), 1_000) if answer.nearest else ""
    return list(filter(None, (near, verdict_text(answer.verdict._replace(is_answered=True)))))


def _verdict(verdict: Verdict, nearest: Sequence[Json]) -> Json:
    """Return that nothing answers, with the *nearest*, and the words that nothing speaks of; nothing otherwise."""
    return {**verdict_data(verdict), **({"nearest": list(nearest)} if nearest else {})}


def _more(answer: Recalled | UnifiedAnswer) -> dict[str, str]:
    """Return how many weaker results were left out, if any were."""
    return {"more": f"{left_out(answer.left_out)}: pass limit."} if answer.left_out else {}


def unified_text(answer: UnifiedAnswer, now: datetime) -> str:
    """Return an answer as prose: discussions, code, relationships, knowledge, explanation, suggestions."""
    query = answer.query
    chunks = [
        (result.chunk.kind, _chunk_text(result.chunk, result.relevance, query, now) + _amended_text(result.amended))
        for result in answer.results
        if result.chunk
    ]
    others = [result for result in answer.results if not result.chunk]
    relations = list(dict.fromkeys(relation for result in others for relation in result.relations))
    things = f"{answer.total} {'thing' if answer.total == 1 else 'things'}"
    parts = [_opening(answer, things)]
    parts += _section("Previous Discussions", [text for kind, text in chunks if kind != CODE])
    parts += _section("Related Code", [text for kind, text in chunks if kind == CODE])
    of_code = answer.code.lines() if answer.code else []
    of_code += [f"- knowledge about it: {clean_line(source.title, TITLE_LIMIT)}" for source in answer.nodes]
    of_code += [f"- written in a past session: {READ_TOOL} {chunk.id} ({chunk.at})" for chunk in answer.chunks]
    parts += _section("Code Relationships", [*of_code, *(_related(relation) for relation in relations)], "\n")
    parts += _section("Knowledge", [_result_text(result, query) for result in others])
    parts += _more(answer).values()
    parts.append(f"**How I searched:** {clean_line(explanation(answer), 2_000)}")
    parts += [f"Note: {note}" for note in lines(answer.notes)]
    if steps := suggestions(answer):
        parts.append(_suggested(steps))
    if answer.results:
        stamps = [result.at for result in answer.results if result.at]
        oldest, newest = min(stamps, default=None), max(stamps, default=None)
        parts.append(_sources([result.path for result in answer.results], oldest, newest))
    return "\n\n".join(parts)


def _opening(answer: UnifiedAnswer, things: str) -> str:
    """Return how much was found, or that nothing answers, with what comes nearest."""
    query = clean_line(answer.query, 300)
    missing = verdict_text(answer.verdict._replace(is_answered=True))
    if answer.total and answer.verdict.is_answered:
        return f"I found {things} about “{query}”. {missing}".strip()
    parts = [f"I couldn't find anything about “{query}”.", missing]
    if near := answer.nearest or answer.results[:NEAREST]:
        titles = (f"“{clean_line(result.title or result.text, PREVIEW // 2)}”" for result in near)
        parts.append(f"Nearest, but hardly about it: {'; '.join(titles)}.")
    return " ".join(filter(None, parts))


def _section(title: str, entries: Sequence[str], between: str = "\n\n") -> list[str]:
    return [f"### {title}\n\n{between.join(entries)}"] if entries else []


def _chunk_text(chunk: Chunk, relevance: float, query: str, now: datetime) -> str:
    location = clean_line(chunk.path or chunk.folder, 200)
    speaker = f"by the {chunk.trust}" if chunk.trust != "tool" else "output of a tool"
    when = clean_line(f"{ago(chunk.at, now)}{origin_of(chunk.transcript)}", 100)
    heading = f"**{when} in {location}** ({chunk.kind}, {speaker}, {relevance:.2f})"
    return f"{heading}\n{_preview(chunk.text, query)}\n*read the whole: {READ_TOOL} {chunk.id}*"


def _result_text(result: UnifiedResult, query: str) -> str:
    kind = "document" if result.source == DOCUMENTS else result.type
    via = f", {clean_line(result.via, 200)}" if result.via else ""
    copies = f", the same as {', '.join(clean_line(copy.path, 200) for copy in result.also)}" if result.also else ""
    facts = f"{kind}, {clean_line(result.path, 200)}, {result.relevance:.2f}{via}{copies}"
    amended = _amended_text(result.amended)
    return f"**{clean_line(result.title, TITLE_LIMIT)}** ({facts})\n{_preview(result.text, query)}{amended}"


def _amended_text(amendment: Amendment | None) -> str:
    """Return the line that says what holds now instead of an amended passage."""
    if amendment is None:
        return ""
    now = clean_line(visible(amendment.sentence), SHORT)
    return f"\n*amended on {amendment.at[:10]}, now:* {now} ({READ_TOOL} {amendment.id})"


def _related(relation: TitledRelation) -> str:
    ends = (clean_line(title, TITLE_LIMIT) for title in (relation.source_title, relation.target_title))
    source, target = (title or "(no such node)" for title in ends)
    return f"- {source} —[{relation.type}]→ {target}"


def _preview(text: str, query: str) -> str:
    return clean_line(excerpt(visible(text), query, PREVIEW - 2), PREVIEW)


def _suggested(suggestions: Sequence[Suggestion]) -> str:
    lines = []
    for suggestion in suggestions:
        why = f": {clean_line(suggestion.why, PREVIEW)}" if suggestion.why else ""
        lines.append(f"- {for_tools(Sentence(suggestion.step))}{why}")
    return "\n".join(["**Next:**", *lines])


def _sources(places: Sequence[str], oldest: str | None, newest: str | None) -> str:
    distinct = list(dict.fromkeys(clean_line(place, 200) for place in places))
    more = f" and {len(distinct) - 5} more" if len(distinct) > 5 else ""
    period = f", from {oldest} to {newest}" if oldest and newest else ""
    return f"Sources: {', '.join(distinct[:5])}{more}{period}."
