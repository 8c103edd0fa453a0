"""Rendering of recalled text for a prompt: fenced, with time, speaker and how to read more; never as instructions."""

from __future__ import annotations

import json
import time

from autology.hooks.messages import SHORT_ID, count, node_line, weight
from autology.ranking.asking_form import decides
from autology.ranking.recall_intent import IMPLEMENTATION, PROBLEM
from autology.text.sanitising import clean_block, clean_line, fenced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from autology.core.lookup_ports import ChunkHit, NodeRow
    from autology.core.prompt_recall import TimeSpan
    from autology.ranking.recall_intent import RecallIntent

BUDGET = 1_400
"""In quarters of a token: at most 400 tokens, and ids and code cost more than prose."""
LAYOUTS = ((3, 480, 400), (3, 480, 160), (3, 320, 100), (2, 320, 100), (1, 320, 80), (1, 160, 0))
"""Numbers of chunks, and characters of the first and the others, tried until the text fits the budget."""
ROOMIER = {1: ((1, 1_000, 0), (1, 800, 0), (1, 640, 0)), 2: ((2, 640, 480),)}
"""Layouts tried first when so few chunks are shown. With 480 characters, 8 of 51 answers that showed the right session
left out the sentence that answers (open half of prompts4)."""

_STEM = 5
"""Letters by which a word of the question is found in other forms."""
_DECIDES = 1.5
"""What a word that decides or gives a reason adds to a sentence, in words of the question."""
_ELLIPSES = 8
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
) -> tuple[str, list[str]]:
    """Return the text for *chunks* and *nodes*, and the ids of the chunks shown.

    *time* is the time asked about; *matches_time* says whether the chunks are from that time. *amended* has the days on
    which chunks were amended, by their ids.
    """
    amended = amended or {}
    heading = _heading(intent, chunks)
    if time and chunks:
        heading += f" {time.note}." if matches_time else f" None is from the time you asked about: {time.note}."
    for limit, first, other in (*ROOMIER.get(len(chunks), ()), *LAYOUTS):
        shown = chunks[:limit]
        lines = [
            line
            for at, chunk in enumerate(shown)
            for line in _chunk(chunk, intent.about, other if at else first, amended.get(chunk.id, ""))
        ]
        if nodes:
            lines.append("nodes of the project's knowledge:")
            lines += [f"  {node_line(id, type, title, status)}" for id, type, title, status, _ in nodes[:limit]]
        more = _more(intent, shown, nodes, time.words if time and matches_time else "")
        text = f"{heading}\n{fenced(_SOURCE, lines, _QUOTED)}\n{more}"
        if weight(text) <= BUDGET:
            break
    return text, [chunk.id for chunk in shown]


def of_project(name: str, text: str) -> str:
    """Return *text*, rendered from chunks of another project, as that project's, whose *name* is given."""
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


_SOURCE = "past conversations and the knowledge of this project"
_QUOTED = "what was said then"


def _heading(intent: RecallIntent, chunks: Sequence[ChunkHit]) -> str:
    topic = clean_line(intent.about, 80).translate(_PLAIN)
    if not chunks:
        return f"The project's knowledge mentions {topic}."
    if not topic:
        return f"Here is where the last {'session' if len(chunks) == 1 else f'{len(chunks)} sessions'} left off."
    if intent.wants == IMPLEMENTATION and chunks[0].kind == "code":
        return f"I found {count(len(chunks), 'previous implementation')} of {topic}."
    if intent.wants == PROBLEM:
        return f"I found {count(len(chunks), 'discussion')} about similar errors: {topic}."
    return f"I found {count(len(chunks), 'past discussion')} of {topic}."


def _more(intent: RecallIntent, shown: Sequence[ChunkHit], nodes: Sequence[NodeRow], time_words: str) -> str:
    calls = []
    if shown:
        calls.append(f"{_call(shown[0])} continues it")
    if intent.about:
        words = f"{clean_line(intent.about, 80)} {clean_line(time_words, 40)}".strip()
        query = json.dumps(words.translate(_PLAIN), ensure_ascii=False)
        calls.append(f'{"recall_previous_discussions" if shown else "autology_query"} {{"query": {query}}} finds more')
    if nodes and shown:
        calls.append("autology_query reads the nodes")
    return f"{'; '.join(calls)}. It may be out of date: check it against the project."


def _call(chunk: ChunkHit) -> str:
    return f'retrieve_memory_chunk {{"chunk_id": "{_id(chunk)}", "include_adjacent": true}}'


def _chunk(chunk: ChunkHit, about: str, limit: int, amended: str) -> list[str]:
    """Return the lines of a chunk: date, speaker, question, and the most relevant part."""
    author = (
        "by user and assistant" if chunk.trust == "assistant" and "❯ " in chunk.text else _AUTHORS.get(chunk.trust, "")
    )
    # Not scanned for secrets: the index contains none.
    place = f" in {clean_line(chunk.path, 80)}" if chunk.path else ""
    later = f" (amended on {amended})" if amended else ""
    lines = [f"{_day(chunk.at)}{later}, {chunk.kind} {author}{place}, chunk {_id(chunk)}:"]
    if chunk.question and not chunk.text.startswith(f"❯ {chunk.question[:40]}"):
        lines.append(f"  asked: {_cut(clean_line(chunk.question, _CHUNK_LIMIT), 100)}")
    if limit:
        lines += [f"  {part}" for part in _excerpt(chunk, about, limit).split("\n")]
    return lines


def _excerpt(chunk: ChunkHit, about: str, limit: int) -> str:
    """Return the part of a chunk's text with the most words of *about*, starting at a line."""
    text = chunk.text[:_CHUNK_LIMIT].replace("❯ ", "user: ").replace("● ", "assistant: ")
    # Line by line: simple lines avoid patterns that take longer to compile than to run.
    lines = [clean_block(line, _CHUNK_LIMIT) for line in text.split("\n")]
    text = "\n".join(line for line in lines if line.strip() or chunk.kind == "code")
    text = text.strip("\n")
    return text if len(text) <= limit else _around_the_answer(text, about.lower().split(), limit)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 4].rstrip()} ..."


def _around_the_answer(text: str, words: Sequence[str], limit: int) -> str:
    """Return the sentences of *text* around the one that most likely answers a question with *words*.

    That is one with many of them that decides something or gives a reason, and asks nothing.
    """
    sentences = text.replace("\n", "\n\0").replace(". ", ". \0").replace("? ", "? \0").replace("。", "。\0").split("\0")
    stems = [word[:_STEM] for word in words]

    def value(sentence: str) -> float:
        lower = sentence.lower()
        named = sum(stem in lower for stem in stems)
        return named + _DECIDES * decides(lower) - (sentence.rstrip()[-1:] == "?") - lower.startswith("user: ")

    first = max(range(len(sentences)), key=lambda at: (value(sentences[at]), -at))
    if len(sentences[first]) >= limit:
        at = min((at for stem in stems if (at := sentences[first].lower().find(stem)) >= 0), default=0)
        return _cut(sentences[first][max(0, at - limit // 2) :].strip(), limit)
    last, room = first + 1, limit - len(sentences[first]) - _ELLIPSES
    while (more := _next(sentences, first, last, room)) is not None:
        room -= len(sentences[more])
        first, last = min(first, more), max(last, more + 1)
    cut = "".join(sentences[first:last]).strip()
    return f"{'... ' * (first > 0)}{cut}{' ...' * (last < len(sentences))}"


def _next(sentences: Sequence[str], first: int, last: int, room: int) -> int | None:
    """Return the sentence after or before those from *first* to *last* for which there is *room*."""
    for at in (last, first - 1):
        if 0 <= at < len(sentences) and len(sentences[at]) <= room:
            return at
    return None


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
