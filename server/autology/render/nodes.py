"""Notes, and the results of changing them, as JSON and text, for all front ends."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from autology.core.nodes.capture import Captured, Duplicate
from autology.core.nodes.delete_restore import Deleted, Restored
from autology.core.nodes.relate import Related
from autology.core.nodes.relation_inference import Inferred
from autology.core.nodes.search import NodeAnswer, NodeHit
from autology.core.nodes.update import Updated
from autology.model.node import TITLE_LIMIT, Node, Relation, turn_of
from autology.ranking.answer_wording import left_out
from autology.render.degradation_notes import lines as lines_of
from autology.render.degradation_notes import noted
from autology.render.review_status import standing
from autology.render.verdicts import verdict_data
from autology.text.notes.secret_markers import marked
from autology.text.redaction import redact, secrets_in, without
from autology.text.sanitising import clean_line, visible

Json = dict[str, Any]

CONTENT = {"brief": 0, "normal": 1_500, "full": 20_000}
"""Characters of content shown per hit, by detail level."""
BUDGET = {"brief": 24_000, "normal": 24_000, "full": 45_000}
"""Characters of content per answer; the client saves more than 50,000 to a file instead of showing it."""
SUGGESTIONS = 10


def answer(result: NodeAnswer, detail: str = "normal", begin: int = 0) -> Json:
    """Return a search answer: ``{"results": [{node, score, …}], …}``, best first, within a budget.

    Contents start at character *begin*.
    """
    remaining = BUDGET[detail]
    results = []
    for hit in result.hits:
        entry_of_hit = _hit(hit, min(CONTENT[detail], remaining), detail == "full", begin)
        remaining = max(0, remaining - len(entry_of_hit["node"].get("content", "")))
        results.append(entry_of_hit)
    entry: Json = {"results": results, **verdict_data(result.verdict)}
    if result.nearest:
        entry["nearest"] = [_near(hit) for hit in result.nearest]
    if result.left_out:
        entry["more"] = f"{left_out(result.left_out)}: pass limit."
    elif result.more:
        entry["more"] = "There are more results: ask again with a higher offset, or a filter."
    if result.encoder:
        entry["encoder"] = result.encoder
    return noted(entry, result.notes)


def node(shown: Node, path: str | None = None, characters: int | None = None, begin: int = 0) -> Json:
    """Return a node with its content from *begin* on, truncated to *characters*, and how to read the rest.

    Invisible characters (controls, direction marks, tag characters) are not shown to a model.
    """
    whole = visible(shown.content)
    content = marked(whole).text
    file = clean_line(path or shown.path, 1_000)
    entry: Json = {
        "id": shown.id,
        "type": shown.type.value,
        "title": _line(shown.title),
        "content": content[begin:],
        "tags": [_shown(visible(tag)) for tag in shown.tags],
        "relations": [relation(link) for link in shown.relations],
        "confidence": shown.confidence,
        "created": shown.created or None,
        "modified": shown.modified or None,
        "source": shown.source,
        "references": [_shown(visible(path)) for path in shown.references],
        "status": shown.status.value,
    }
    if shown.session:
        entry["session"] = shown.session
    if turn := turn_of(shown):
        entry["turn"] = clean_line(turn, 100)
    if shown.decision_status:
        entry["decision_status"] = shown.decision_status.value
    if shown.record:
        entry |= _of_record(shown)
    if content != whole:
        entry["secrets_left_out"] = f"{file} contains them; keep the markers in place when you change the text"
    if len(whole) < len(shown.content.replace("\r\n", "\n")):
        entry["hidden_characters"] = f"left out; {file} contains them"
    if begin:
        entry["content_from"] = begin
    if characters is not None and len(content) - begin > characters:
        entry["content"] = _cut(content[begin:], characters)
        entry["content_truncated"] = True
        call: Json = {"query": shown.id, "detail": "full"}
        if after := begin + len(entry["content"].removesuffix("…")):
            call["content_from"] = after
        entry["read_rest"] = f"autology_query {json.dumps(call)}, or read {file}"
    return entry


def _of_record(shown: Node) -> Json:
    """Return what only an adopted record has: its file, number, and status as written."""
    fields = {"record": shown.record}
    for name, key in (("record_number", "number"), ("status_word", "status_word")):
        if isinstance(value := shown.extra.get(name), str):
            fields[key] = value
    return {key: _shown(visible(value)) for key, value in fields.items()}


def relation(shown: Relation) -> Json:
    """Return a relation as JSON."""
    entry: Json = {"type": shown.type.value, "target": shown.target, "confidence": shown.confidence}
    if shown.is_derived:
        entry["derived"] = True
    return {**entry, "description": _shown(visible(shown.description))} if shown.description is not None else entry


def captured(result: Captured) -> Json:
    """Return the result of a capture, with suggested next steps."""
    entry: Json = {
        "id": result.node.id,
        "type": result.node.type.value,
        "confidence": result.classification.confidence,
        "title": result.node.title,
        "path": result.node.path,
    }
    if result.node.decision_status:
        entry["decision_status"] = result.node.decision_status.value
    if not result.classification.confident:
        entry["alternatives"] = [
            {"type": guess.type.value, "score": guess.score} for guess in result.classification.alternatives
        ]
    if result.missing_sections:
        entry["status"] = result.node.status.value
        entry["missing_sections"] = list(result.missing_sections)
        entry["next"] = f"Add the missing sections with autology_update {{id: '{result.node.id}', content: …}}."
    if result.created:
        entry["relations_created"] = [_inferred(item, result.titles) for item in result.created]
    if result.suggested:
        entry["relations_suggested"] = [
            {**_inferred(item, result.titles), "autology_relate": _arguments(item)}
            for item in result.suggested[:SUGGESTIONS]
        ]
    if result.duplicates:
        entry["duplicates"] = [_duplicate(duplicate, result.node) for duplicate in result.duplicates]
    if result.superseded:
        entry["superseded"] = list(result.superseded)
    if result.respelled:
        entry["tags_written_as"] = {_shown(visible(tag)): written for tag, written in result.respelled.items()}
    return noted({**entry, **_warnings(result.absent_references, result.redacted)}, result.notes)


def updated(result: Updated) -> str:
    """Return the result of an update as text."""
    first = f"✓ Updated: {_line(result.node.title)} ({result.node.type.value})"
    lines = [first, f"Fields changed: {', '.join(result.fields)}" if result.fields else "No changes"]
    if result.missing_sections:
        lines.append(f"Status: {result.node.status.value}; the decision lacks: {', '.join(result.missing_sections)}")
    if result.respelled:
        lines.append(f"Tags written as: {respelled(result.respelled)}")
    return _with_warnings(lines, result.absent_references, result.redacted, result.notes)


def respelled(tags: Mapping[str, str]) -> str:
    """Return respelled tags as text."""
    return ", ".join(f"{_line(tag)} → {written}" for tag, written in tags.items())


def deleted(result: Deleted) -> str:
    """Return the result of a deletion as text."""
    text = f"✓ Deleted: {_line(result.node.title)} ({result.node.type.value})\nRelations removed: {result.relations}"
    if result.files:
        text += f"\nIn the trash: {', '.join(clean_line(path, 1_000) for path in result.files)}"
    return "\n".join([text, *(f"Status: {_line(title)} is no longer superseded" for title in result.reactivated)])


def restored(result: Restored) -> str:
    """Return the result of a restore as text."""
    return f"✓ Restored: {_line(result.node.title)} ({result.node.type.value})\nRelations restored: {result.relations}"


def related(result: Related) -> str:
    """Return the result of relating two nodes as text."""
    arrow = f"{_line(result.source)} —[{result.type.value}]→ {_line(result.target)}"
    return f"✓ Related: {arrow}" if result.changed else f"Already related: {arrow}\nNothing changed"


def unrelated(result: Related) -> str:
    """Return the result of removing a relation as text."""
    target = _line(result.target)
    arrow = f"{_line(result.source)} —[{result.type.value}]→ {target}"
    if not result.changed:
        return f"No such relation: {arrow}\nNothing changed"
    text = f"✓ Removed relation: {arrow}"
    return f"{text}\nStatus: {target} is no longer superseded" if result.reactivated else text


def _line(title: str) -> str:
    """Return *title* for use in our own sentences, without line breaks (which could imitate them) and secrets."""
    return clean_line(_shown(visible(title)), TITLE_LIMIT)


def _hit(hit: NodeHit, characters: int, with_scores: bool, begin: int) -> Json:
    shown = {**node(hit.node, hit.path, characters, begin), **standing(hit.node, hit.drifted)}
    entry: Json = {"node": shown, "score": hit.score}
    if hit.passage and characters < len(hit.node.content):
        text = without(hit.node.content, secrets_in(hit.node.content), *hit.passage)
        entry["matched"] = _cut(visible(text).strip(), 300)
    if with_scores and hit.explain:
        entry |= {"relevance": round(hit.relevance, 4), "explain": dict(hit.explain)}
    if hit.superseded_by:
        entry["superseded_by"] = [{"id": source.id, "title": _line(source.title)} for source in hit.superseded_by]
    if hit.also:
        entry["also"] = [source.id for source in hit.also]
    return entry


def _near(hit: NodeHit) -> Json:
    """Return the nearest hit to a question that none answers, without its content."""
    return {"id": hit.node.id, "title": _line(hit.node.title), "type": hit.node.type.value, "score": hit.score}


def _inferred(item: Inferred, titles: Mapping[str, str]) -> Json:
    return {
        "source": item.source,
        "source_title": _line(titles.get(item.source, "")),
        "type": item.type.value,
        "target": item.target,
        "target_title": _line(titles.get(item.target, "")),
        "confidence": item.confidence,
        "reason": visible("; ".join(item.reasons)),
    }


def _arguments(item: Inferred) -> Json:
    return {"source": item.source, "target": item.target, "type": item.type.value, "confidence": item.confidence}


def _duplicate(duplicate: Duplicate, new: Node) -> Json:
    source = duplicate.source
    return {
        "id": source.id,
        "title": _line(source.title),
        "type": source.type,
        "reason": duplicate.reason,
        "next": _resolution(duplicate, new),
    }


def _resolution(duplicate: Duplicate, new: Node) -> str:
    """Return how to resolve a possible duplicate; a similar title is not a reason to delete."""
    older = duplicate.source
    if duplicate.reason == "Same content":
        return f"It says the same: autology_delete this one ('{new.id}'), once its tags and relations are on that one."
    ends = f"source: '{new.id}', target: '{older.id}'"
    replaces = f"If this one replaces it: autology_relate {{{ends}, type: 'supersedes'}}."
    if "title" in duplicate.reason or older.decision_status in _FROZEN:
        return f"{replaces} If both hold: autology_relate {{{ends}, type: 'relates_to'}}."
    return f"If it says the same, autology_update it ('{older.id}') and autology_delete this one. {replaces}"


_FROZEN = ("accepted", "deprecated", "superseded")
"""The statuses in which a decision's text is frozen."""


def _warnings(absent: Sequence[str], redacted: Sequence[str]) -> Json:
    entry: Json = {}
    if absent:
        entry["references_absent"] = list(absent)
    if redacted:
        entry["redacted"] = list(redacted)
    return entry


def _with_warnings(lines: list[str], absent: Sequence[str], redacted: Sequence[str], notes: Sequence[str]) -> str:
    if absent:
        lines.append(f"Kept, though no such file exists: {', '.join(absent)}")
    if redacted:
        lines.append(f"Secrets left out: {', '.join(redacted)}")
    return "\n".join([*lines, *(f"Note: {text}" for text in lines_of(notes))])


def _shown(text: str) -> str:
    """Redact secrets in *text*, which must be cleaned (hidden characters could hide a secret) but not yet truncated."""
    return redact(text)[0]


def _cut(text: str, characters: int) -> str:
    """Truncate *text* to *characters*, at a word boundary if one is near."""
    if len(text) <= characters:
        return text
    head = text[:characters]
    space = max(head.rfind(" "), head.rfind("\n"))
    return (head[:space] if space > characters * 0.8 else head) + "…"
