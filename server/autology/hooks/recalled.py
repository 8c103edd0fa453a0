"""How recalled text is put beside a prompt: fenced, with when, who and where to read more; never as instruction."""

from __future__ import annotations

import json
import time

from autology.hooks.speech import SHORT_ID, count, node_line, weight
from autology.ranking.moment import IMPLEMENTATION, PROBLEM, WORK
from autology.text.fence import clean_block, clean_line, fenced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from autology.hooks.past import Found
    from autology.hooks.when import When
    from autology.ranking.moment import Moment

    Node = tuple[str, str, str, str, str]

BUDGET = 1_400
"""Quarters of a token: at most 400 tokens may be said, and ids and code take more than prose."""
SIZES = ((3, 480, 160), (3, 320, 100), (2, 320, 100), (1, 320, 80), (1, 160, 0))
"""How many chunks, and how many characters of the first and of the others, tried until they fit."""

_READ = 4_000
"""Letters of a chunk that are looked at: as many as it holds, and as many again."""
_BY = {"user": "by the user", "assistant": "by the assistant"}


def told(
    asked: Moment, found: Sequence[Found], nodes: Sequence[Node], time: When | None = None, of_then: bool = False
) -> tuple[str, list[str]]:
    """Return what is said of what was found, and the ids of the chunks that are shown.

    *time* is what was asked about; *of_then* tells whether what was found is of that time.
    """
    heading = _heading(asked, found)
    if time and found:
        heading += f" {time.note}." if of_then else f" None is of the time that was asked about: {time.note}."
    for chunks, first, other in SIZES:
        shown = found[:chunks]
        lines = [line for at, each in enumerate(shown) for line in _chunk(each, asked.about, other if at else first)]
        if nodes:
            lines.append("nodes of the project's knowledge:")
            lines += [f"  {node_line(id, type, title, status)}" for id, type, title, status, _ in nodes[:chunks]]
        more = _more(asked, shown, nodes, time.said if time and of_then else "")
        text = f"{heading}\n{fenced(_SOURCE, lines, _QUOTED)}\n{more}"
        if weight(text) <= BUDGET:
            break
    return text, [each.id for each in shown]


def line(said: str, near: Sequence[Found]) -> str:
    """Return *said* with how many discussions are *near* and of when, and the call that shows the nearest."""
    when = _day(near[0].at)
    return f"{said.format(count(len(near), 'discussion'), when)} {_call(near[0])} shows the closest."


def in_a_line(chunk: Found) -> str:
    """Return what was asked where *chunk* stands, when, and its id."""
    about = clean_line(chunk.question or chunk.text.removeprefix("❯ "), 90)
    return f'{_day(chunk.at)}, {chunk.kind} on "{about}", chunk {_id(chunk)}'


_SOURCE = "past conversations and the knowledge of this project"
_QUOTED = "what was said then"


def _heading(asked: Moment, found: Sequence[Found]) -> str:
    topic = clean_line(asked.about, 80).translate(_PLAIN)
    if not found:
        return f"The project's knowledge speaks of {topic}."
    if not topic or asked.wants == WORK:
        return f"I found what {count(len(found), 'earlier session')} spoke of last." if not topic else _of(found, topic)
    if asked.wants == IMPLEMENTATION and found[0].kind == "code":
        return f"I found {count(len(found), 'previous implementation')} of {topic}."
    if asked.wants == PROBLEM:
        return f"I found {count(len(found), 'discussion')} about similar errors: {topic}."
    return _of(found, topic)


def _of(found: Sequence[Found], topic: str) -> str:
    return f"I found {count(len(found), 'past discussion')} of {topic}."


def _more(asked: Moment, shown: Sequence[Found], nodes: Sequence[Node], said: str) -> str:
    calls = []
    if shown:
        calls.append(f"{_call(shown[0])} reads on")
    if asked.about:
        words = f"{clean_line(asked.about, 80)} {clean_line(said, 40)}".strip()
        query = json.dumps(words.translate(_PLAIN), ensure_ascii=False)
        calls.append(f'{"recall_previous_discussions" if shown else "autology_query"} {{"query": {query}}} finds more')
    if nodes and shown:
        calls.append("autology_query reads the nodes")
    return f"{'; '.join(calls)}. It may be out of date: check it against the project."


def _call(chunk: Found) -> str:
    return f'retrieve_memory_chunk {{"chunk_id": "{_id(chunk)}", "include_adjacent": true}}'


def _chunk(chunk: Found, about: str, limit: int) -> list[str]:
    """Return the lines of a chunk: when, by whom, what was asked, and the part that speaks of it."""
    by = "by user and assistant" if chunk.trust == "assistant" and "❯ " in chunk.text else _BY.get(chunk.trust, "")
    # No secret is looked for: none is let into the index.
    where = f" in {clean_line(chunk.path, 80)}" if chunk.path else ""
    lines = [f"{_day(chunk.at)}, {chunk.kind} {by}{where}, chunk {_id(chunk)}:"]
    if chunk.question and not chunk.text.startswith(f"❯ {chunk.question[:40]}"):
        lines.append(f"  asked: {_cut(clean_line(chunk.question, _READ), 100)}")
    if limit:
        lines += [f"  {part}" for part in _excerpt(chunk, about, limit).split("\n")]
    return lines


def _excerpt(chunk: Found, about: str, limit: int) -> str:
    """Return the part of a chunk's text that holds most of the words *about* it, cut at its lines."""
    text = chunk.text[:_READ].replace("❯ ", "user: ").replace("● ", "assistant: ")
    # Line by line: plain ones need none of the patterns that take longer to compile than to use.
    lines = [clean_block(line, _READ) for line in text.split("\n")]
    text = "\n".join(line for line in lines if line.strip() or chunk.kind == "code")
    if len(text) > limit:
        text = _densest(text, about.lower().split(), limit)
    return _cut(text.strip("\n"), limit)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 4].rstrip()} ..."


def _densest(text: str, words: Sequence[str], limit: int) -> str:
    lower = text.lower()
    starts, at = [0], lower.find("\n") + 1
    while at:
        starts.append(at)
        at = lower.find("\n", at) + 1
    stems = [word[:5] for word in words]
    best = max(starts, key=lambda at: (sum(stem in lower[at : at + limit] for stem in stems), -at))
    return text[best:]


def _day(at: str) -> str:
    """Return a stamp's day, and how long ago that is."""
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
    """Return the days from 1970 to a date; what Python has for this takes longer to load than all else here."""
    year -= month < 3  # a year that begins in March ends with the day that leap years add
    return (
        year * 365
        + year // 4
        - year // 100
        + year // 400
        + (153 * (month + (9 if month < 3 else -3)) + 2) // 5
        + day
        - 719_469
    )


def _id(chunk: Found) -> str:
    return "".join(letter for letter in chunk.id if letter.isalnum())[:SHORT_ID]


_PLAIN = {ord("<"): "‹", ord(">"): "›", ord("`"): "'"}
