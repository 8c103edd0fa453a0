"""Rendering of recalled text for a prompt: fenced, with time, speaker and how to read more; never as instructions."""

from __future__ import annotations

import json
import time

from autology.hooks.messages import ASSISTANT, SHORT_ID, USER, count, node_line, weight
from autology.ranking.recall_intent import IMPLEMENTATION, PROBLEM
from autology.text.sanitising import clean_block, clean_line, fenced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from autology.core.lookup_ports import ChunkHit, NodeRow
    from autology.core.prompt_notes import KnownNote
    from autology.core.prompt_recall import TimeSpan
    from autology.ranking.recall_intent import RecallIntent

BUDGET = 1_592
"""In quarters of a token: at most 400 tokens, less what two lines may differ from their estimate."""
OF_PROJECT = 240
"""What the name of another project adds at most, twice 80 characters and a few words."""
_SHOWN = 4
_BRIEFLY = 32
"""Characters of the subject that the heading names where the text is cut."""
_LEAST = 400
"""The least room for what was said, in quarters of a token; if there is less, fewer passages are shown."""

_CHUNK_LIMIT = 4_000
"""Maximum characters of a chunk that are used: twice the size limit of chunks."""
_AUTHORS = {"user": "by the user", "assistant": "by the assistant"}


def rendered(
    intent: RecallIntent,
    chunks: Sequence[ChunkHit],
    nodes: Sequence[NodeRow],
    time: TimeSpan | None = None,
    matches_time: bool = False,
    amended: Mapping[str, str] | None = None,
    notes: Sequence[KnownNote] = (),
    known_of_chunks: float = 0.0,
    reserved: int = 0,
) -> tuple[str, list[str]]:
    """Return the text for *chunks* and *nodes*, and the ids of the chunks shown.

    *time* is the time asked about; *matches_time* says whether the chunks are from that time. *amended* has the days on
    which chunks were amended, by their ids. Of *notes*, which are among the nodes, the text is shown too, before the
    chunks where a note knows more than *known_of_chunks*, what the best chunk knows. So much is *reserved* of the
    budget.
    """
    amended = amended or {}
    dated = ""
    if time and chunks:
        dated = f" {time.note}." if matches_time else f" None is from the time you asked about: {time.note}."
    quoted_nodes = {note.node[0] for note in notes}
    listed = [node for node in nodes if node[0] not in quoted_nodes]
    first = sum(note.knowledge.weight > known_of_chunks for note in notes)
    words = time.words if time and matches_time else ""
    for limit in range(_SHOWN, 0, -1):
        shown = chunks[: max(limit - len(notes), not notes)]
        talk = [_passage(chunk, amended.get(chunk.id, "")) for chunk in shown]
        passages = [*map(_note, notes[:first]), *talk, *map(_note, notes[first:])]
        known = _node_lines(listed[:limit])
        texts = [passage.text for passage in passages]
        heading, more = _heading(intent, chunks) + dated, _more(intent, shown, nodes, words)
        text = _whole(heading, passages, texts, known, more)
        if weight(text) <= BUDGET - reserved:
            break
        # Where sentences are left out, they are worth more than the prompt's words once more, and than ages.
        for passage, chunk in zip(talk, shown, strict=True):
            passage.heading[0] = _headed(chunk, amended.get(chunk.id, ""), briefly=True)
        heading, more = _heading(intent, chunks, _BRIEFLY) + dated, _more(intent, shown, nodes, words, briefly=True)
        room = BUDGET - reserved - weight(_whole(heading, passages, [""] * len(passages), known, more))
        if room >= _LEAST or limit == 1:
            from autology.hooks.excerpts import excerpts

            parts = excerpts(texts, [passage.by_lines for passage in passages], intent.about, room)
            text = _whole(heading, passages, parts, known, more)
            break
    return text, [chunk.id for chunk in shown]


def _whole(heading: str, passages: Sequence[_Passage], parts: Sequence[str], known: Sequence[str], more: str) -> str:
    """Return the whole text, with a part of each of *passages*."""
    lines = [line for passage, part in zip(passages, parts, strict=True) for line in passage.lines_with(part)]
    return f"{heading}\n{fenced(_SOURCE, [*lines, *known], _QUOTED)}\n{more}"


def of_project(name: str, text: str) -> str:
    """Return *text*, rendered from chunks of another project, as that project's, which is called *name*."""
    project = clean_line(name, 80).translate(_PLAIN)
    return f"In project {project}, not this one: {text.replace(_SOURCE, f'past conversations of project {project}', 1)}"


def suggestion(request: str, chunks: Sequence[ChunkHit]) -> str:
    """Return the hint for a prompt of the class *request*: its past work, and the call that shows it."""
    from autology.ranking import prompt_similarity

    template = {
        prompt_similarity.ERROR: "I found {} about similar errors in this project's past ({}).",
        prompt_similarity.HOW_TO: "This was asked before: I found {} in this project's past ({}).",
        prompt_similarity.FEATURE: "We've implemented similar features before: I found {} in this project's past ({}).",
        prompt_similarity.PROBLEM: "I found {} about similar work in this project's past ({}).",
        prompt_similarity.FILES: "I found {} in this project's past ({}) that worked on the same files.",
    }[request]
    summary = template.format(count(len(chunks), "discussion"), _day(chunks[0].at))
    return f"{summary} {_call(chunks[0])} shows the closest."


def in_a_line(chunk: ChunkHit) -> str:
    """Return a chunk in one line: its date, question and id."""
    about = clean_line(chunk.question or chunk.text.removeprefix("❯ "), 90)
    return f'{_day(chunk.at)}, {chunk.kind} on "{about}", chunk {_id(chunk)}'


_SOURCE = "past conversations and notes"
_QUOTED = "what was said then"


def _heading(intent: RecallIntent, chunks: Sequence[ChunkHit], most: int = 80) -> str:
    topic = clean_line(intent.about, most).translate(_PLAIN)
    if not chunks:
        return f"The project's knowledge mentions {topic}."
    if not topic:
        return f"Here is where the last {'session' if len(chunks) == 1 else f'{len(chunks)} sessions'} left off."
    if intent.wants == IMPLEMENTATION and chunks[0].kind == "code":
        return f"I found {count(len(chunks), 'previous implementation')} of {topic}."
    if intent.wants == PROBLEM:
        return f"I found {count(len(chunks), 'discussion')} about similar errors: {topic}."
    return f"I found {count(len(chunks), 'past discussion')} of {topic}."


def _more(
    intent: RecallIntent, shown: Sequence[ChunkHit], nodes: Sequence[NodeRow], time_words: str, briefly: bool = False
) -> str:
    calls = []
    if shown and briefly:
        calls.append(f'retrieve_memory_chunk {{"chunk_id": "{_id(shown[0])}"}} has the rest')
    elif shown:
        calls.append(f"{_call(shown[0])} continues it")
    if intent.about:
        words = f"{clean_line(intent.about, 80)} {clean_line(time_words, 40)}".strip()
        query = json.dumps(words.translate(_PLAIN), ensure_ascii=False)
        tool = "recall_previous_discussions" if shown else "autology_query"
        calls.append(f"{tool} finds more" if briefly else f'{tool} {{"query": {query}}} finds more')
    if nodes and shown:
        calls.append("autology_query reads the nodes")
    doubt = "Check it against the project." if briefly else "It may be out of date: check it against the project."
    return f"{'; '.join(calls)}. {doubt}"


def _call(chunk: ChunkHit) -> str:
    return f'retrieve_memory_chunk {{"chunk_id": "{_id(chunk)}", "include_adjacent": true}}'


def _node_lines(nodes: Sequence[NodeRow]) -> list[str]:
    lines = [f"  {node_line(id, type, title, status)}" for id, type, title, status, _ in nodes]
    return ["nodes of the project's knowledge:", *lines] if lines else []


class _Passage:
    """What is quoted: the lines of its *heading*, and a *text*, of which lines are shown if it is code."""

    __slots__ = ("by_lines", "heading", "text")

    def __init__(self, heading: list[str], text: str, by_lines: bool = False) -> None:
        self.heading, self.text, self.by_lines = heading, text, by_lines

    def lines_with(self, part: str) -> list[str]:
        """Return its lines with a *part* of its text."""
        return [*self.heading, *(f"  {line}" for line in part.split("\n") if part)]


def _note(note: KnownNote) -> _Passage:
    """Return a note: its type, id, title and status, and its text, in which no secret is shown."""
    from autology.text.redaction import redact

    id, type, title, status, _ = note.node
    redacted, _ = redact(note.text)  # before it is cut: half a secret is not recognised
    text = "\n".join(line for line in redacted.split("\n") if line.strip() and not line.startswith("#"))
    return _Passage([f"{node_line(id, type, title, status)}:"], clean_block(text, _CHUNK_LIMIT))


def _passage(chunk: ChunkHit, amended: str) -> _Passage:
    """Return a chunk: date, speaker and question, and its text."""
    lines = [_headed(chunk, amended)]
    if chunk.question and not chunk.text.startswith(f"❯ {chunk.question[:40]}"):
        lines.append(f"  asked: {_cut(clean_line(chunk.question, _CHUNK_LIMIT), 100)}")
    return _Passage(lines, _message(chunk), chunk.kind == "code")


def _headed(chunk: ChunkHit, amended: str, briefly: bool = False) -> str:
    """Return the heading of a chunk: date, with its age or *briefly* without, speaker and place."""
    is_talk = chunk.trust == "assistant" and "❯ " in chunk.text
    what = "" if is_talk else f", {chunk.kind} {_AUTHORS.get(chunk.trust, '')}".rstrip()  # its lines name who speaks
    # Not scanned for secrets: the index contains none.
    place = f" in {clean_line(chunk.path, 80)}" if chunk.path else ""
    later = f" (amended on {amended})" if amended else ""
    return f"{clean_line(chunk.at[:10], 10) if briefly else _day(chunk.at)}{later}{what}{place}, chunk {_id(chunk)}:"


def _message(chunk: ChunkHit) -> str:
    """Return a chunk's text, with who says what in words."""
    text = chunk.text[:_CHUNK_LIMIT].replace("❯ ", USER).replace("● ", ASSISTANT)
    # Line by line: simple lines avoid patterns that take longer to compile than to run.
    lines = [clean_block(line, _CHUNK_LIMIT) for line in text.split("\n")]
    return "\n".join(line for line in lines if line.strip() or chunk.kind == "code").strip("\n")


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 4].rstrip()} ..."


def _day(at: str) -> str:
    """Return a stamp's date and its age."""
    try:
        days = int(time.time() // 86_400) - _days(int(at[:4]), int(at[5:7]), int(at[8:10]))
    except ValueError:
        return "at an unknown time"
    if days < 2:
        ago = "today" if days < 1 else "yesterday"
    elif days < 60:
        ago = f"{days} days ago" if days < 14 else f"{days // 7} weeks ago"
    else:
        ago = f"{days // 30} months ago"
    return f"{at[:10]} ({ago})"


def _days(year: int, month: int, day: int) -> int:
    """Return the days from 1970 to a date; importing `datetime` would take longer than everything else here."""
    year -= month < 3  # in a year that starts in March the leap day comes last
    return (
        year * 365
        + year // 4
        - year // 100
        + year // 400
        + (153 * (month + (9 if month < 3 else -3)) + 2) // 5
        + day
        - 719_469
    )


def _id(chunk: ChunkHit) -> str:
    return "".join(letter for letter in chunk.id if letter.isalnum())[:SHORT_ID]


_PLAIN = {ord("<"): "‹", ord(">"): "›", ord("`"): "'"}
