"""Grouping turns into exchanges and runs on one topic, and cutting these into chunks of at most 2,000 characters.

Chunks are talk, code, decisions, and tool output in short.

In the text of a chunk of talk ``❯`` precedes the user's words, ``●`` the assistant's, ``$`` a tool call, and ``±`` what
a small edit replaced: symbols, so that they do not match any query.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from itertools import zip_longest

from autology.model.conversation import ASSISTANT, TOOL, TRUST, USER, Chunk, ChunkKind, Exchange, Opening, Turn
from autology.text.language.decision_sentences import decisions
from autology.text.language.sentences import sentence_ends
from autology.text.markdown.code_blocks import taken_apart
from autology.text.source_code.replaced_lines import BY

LIMIT = 2_000
"""Characters of a chunk, and so of a run of several exchanges."""
QUESTION = 160
"""Characters of the question that every chunk of its answer contains, and is found by."""
STEP = 1 << 16
"""Positions reserved for the chunks that begin with one turn."""
SIGNS = {USER: "❯ ", ASSISTANT: "● ", TOOL: ""}
EDIT = "± "
EDITED = 400
"""Characters of a chunk of talk, at most, for what small edits replaced."""

_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_REPLACED = re.compile(rf"{EDIT}\S+: [^\n]*{BY}[^\n]*")  # what people write may begin with the sign, too
GAP = 300.0
"""Seconds of silence after which another topic begins."""

_FILLERS = r"(?:(?:ok(?:ay)?|alright|great|thanks?|good|perfect|cool|right|so|and)\W+){0,3}"
_MARKERS = (
    r"now (?:let'?s|for|on to|to)\b",
    r"next(?: up|[:,]| (?:task|topic|step|thing|issue|question))",
    r"moving on|let'?s (?:move on|switch|turn)|switching|new (?:topic|task)\b",
    r"(?:another|a different|an unrelated|unrelated|separate) (?:topic|question|thing|task|issue|matter)",
    r"by the way|btw\b|something else",
    r"on (?:a|an|another) (?:different|other|unrelated|separate)? ?(?:note|topic|subject)",
    r"changing (?:the )?(?:topic|subject)",
)
_TOPIC = re.compile(rf"\A\W*{_FILLERS}(?:{'|'.join(_MARKERS)})", re.IGNORECASE)
LONGEST = 400
"""Turns of an exchange, or of a run, that are read together: some 0.1 s, and 1 MB of memory."""


# ---- exchanges -------------------------------------------------------------------------------------


def exchanges(turns: Iterable[Turn], continued: Opening | None = None) -> Iterator[Exchange]:
    """Yield *turns* as exchanges, in order: each begins with the user's words, long ones in parts.

    Turns that begin in the middle of an exchange are a part of the *continued* one.
    """
    pending: list[Turn] = []
    opening: Opening | None = None
    for turn in turns:
        if not pending and opening is None and turn.role != USER:
            opening = continued
        continued = None
        if pending and turn.role == USER and not (pending[-1].role == USER and _is_one_question(pending[-1], turn)):
            yield Exchange(tuple(pending), opening)
            pending, opening = [], None
        elif len(pending) == LONGEST:
            part = Exchange(tuple(pending), opening)
            yield part
            pending, opening = [], Opening(part.id, part.question)
        pending.append(turn)
    if pending:
        yield Exchange(tuple(pending), opening)


def _is_one_question(one: Turn, other: Turn) -> bool:
    """Whether two consecutive messages of the user are one question."""
    return one.folder == other.folder and seconds_between(one.at, other.at) <= GAP and not begins_topic(other.text)


def apart(before: Exchange, after: Exchange) -> bool:
    """Whether *after* is on another topic than the exchange *before* it, judged by form.

    The parts of a long exchange are separate too: each is read by itself.
    """
    if after.opening is not None:
        return True
    one, other = before.turns[-1], after.turns[0]
    if one.folder != other.folder or one.branch != other.branch:
        return True
    if seconds_between(one.at, other.at) > GAP or begins_topic(after.question):
        return True
    files, others = set(before.files), set(after.files)
    return bool(files and others) and files.isdisjoint(others)


def begins_topic(text: str) -> bool:
    """Whether *text* begins by announcing another topic."""
    return _TOPIC.match(text) is not None


def seconds_between(one: str, other: str) -> float:
    """Return the seconds between two stamps; 0 if one of them is invalid."""
    if one[:16] == other[:16]:
        return 0.0  # within one minute, as most are
    try:
        return (datetime.fromisoformat(other) - datetime.fromisoformat(one)).total_seconds()
    except (ValueError, TypeError):
        return 0.0


# ---- runs ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Run:
    """Exchanges that belong together, and the byte at which the first begins."""

    exchanges: tuple[Exchange, ...]

    @property
    def start(self) -> int:
        """The byte at which it begins."""
        return self.exchanges[0].turns[0].start


def runs(exchanges: Iterable[Exchange]) -> Iterator[Run]:
    """Group *exchanges* into runs: short ones about one topic together, up to the size of a chunk."""
    group: list[Exchange] = []
    length = turns = 0
    for exchange in exchanges:
        more = _length(exchange)
        turns += len(exchange.turns)
        if group and (length + more > LIMIT or turns > LONGEST or apart(group[-1], exchange)):
            yield Run(tuple(group))
            group, length, turns = [], 0, len(exchange.turns)
        group.append(exchange)
        length += more
    if group:
        yield Run(tuple(group))


def _length(exchange: Exchange) -> int:
    """Return about how much of a chunk the talk of *exchange* takes."""
    return sum(len(turn.text) + 4 for turn in exchange.turns if turn.role != TOOL)


# ---- chunks ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Origin:
    """The transcript of the chunks, and how the project of a folder and a path in it are determined."""

    transcript: str
    project: Callable[[str], str]
    path: Callable[[str, str], str]


def chunks(run: Run, origin: Origin) -> Iterator[Chunk]:
    """Yield the chunks of *run*: all of its talk and code, and the beginnings of tool output."""
    making = _Making(origin)
    items = [item for exchange in run.exchanges for item in _items(exchange)]
    for trusts, separator in (((USER, ASSISTANT), "\n\n"), ((TOOL,), "\n")):
        own = [item for item in items if item.kind == ChunkKind.CONVERSATION and item.trust in trusts]
        groups = [*_packed(own)]
        for group in groups if TOOL in trusts else _with_edits(groups, _edits(run)):
            yield making.chunk(group, separator)
    for item in items:
        if item.kind != ChunkKind.CONVERSATION:
            for piece in _cut(item.text, LIMIT):
                yield making.chunk([item.of(piece)], "")


@dataclass(frozen=True, slots=True)
class _Item:
    """A text of one turn that may be part of a chunk."""

    kind: ChunkKind
    text: str
    turn: Turn
    exchange: Exchange
    trust: str
    language: str | None = None
    path: str | None = None

    def of(self, text: str) -> _Item:
        if text is self.text:  # most texts are in one piece
            return self
        return _Item(self.kind, text, self.turn, self.exchange, self.trust, self.language, self.path)


def _items(exchange: Exchange) -> Iterator[_Item]:
    for turn in exchange.turns:
        trust = ASSISTANT if turn.role == USER and turn.agent else turn.role  # an agent is prompted by another
        if turn.text:
            talk, blocks = (turn.text, ()) if turn.role == TOOL else taken_apart(turn.text)
            yield _Item(ChunkKind.CONVERSATION, SIGNS[turn.role] + talk, turn, exchange, trust)
            for block in blocks:
                yield _Item(ChunkKind.CODE, block.code, turn, exchange, trust, block.language, block.path)
            if turn.role != TOOL:
                for sentence in decisions(talk):
                    yield _Item(ChunkKind.DECISION, sentence, turn, exchange, trust)
        for call in turn.calls:
            if call.about:
                yield _Item(ChunkKind.CONVERSATION, f"$ {call.about}", turn, exchange, TOOL)
            if call.code:
                path = call.files[0] if call.files else None
                yield _Item(ChunkKind.CODE, call.code, turn, exchange, trust, call.language, path)


def _packed(items: Sequence[_Item]) -> Iterator[list[_Item]]:
    """Yield *items* in order, grouped up to the size of a chunk; long ones in pieces; not across a long silence."""
    group: list[_Item] = []
    length = 0
    for item in items:
        for piece in _cut(item.text, LIMIT):
            late = group and seconds_between(group[-1].turn.at, item.turn.at) > GAP
            if group and (late or length + 2 + len(piece) > LIMIT):
                yield group
                group, length = [], 0
            group.append(item.of(piece))
            length += len(piece) + (2 if length else 0)
    if group:
        yield group


def _edits(run: Run) -> list[_Item]:
    """Return what the edits of *run* replaced, in order."""
    kind = ChunkKind.CONVERSATION
    return [
        _Item(kind, f"{EDIT}{line}", turn, exchange, ASSISTANT)
        for exchange in run.exchanges
        for turn in exchange.turns
        for call in turn.calls
        for line in call.replaced
    ]


def _with_edits(groups: Sequence[list[_Item]], edits: Sequence[_Item]) -> Iterator[list[_Item]]:
    """Yield *groups*, each with the *edits* between its first item and the next group, as far as it has room."""
    ends = [group[0].turn.start for group in groups[1:]]
    for group, end in zip_longest(groups, ends):
        room = min(EDITED, LIMIT - sum(len(item.text) + 2 for item in group))
        more: list[_Item] = []
        for edit in edits:
            is_within = group[0].turn.start <= edit.turn.start and (end is None or edit.turn.start < end)
            if is_within and len(edit.text) + 2 <= room:
                more.append(edit)
                room -= len(edit.text) + 2
        yield sorted([*group, *more], key=lambda item: item.turn.start) if more else group


def _cut(text: str, limit: int) -> Iterator[str]:
    """Yield *text* in pieces of at most *limit* characters: cut after a paragraph, else a sentence, else a word."""
    at = 0
    while len(text) - at > limit:
        stop = _break(text, at, at + limit)
        yield text[at:stop]
        at = stop
    if at < len(text):
        yield text[at:]


def _break(text: str, start: int, last: int) -> int:
    half = start + (last - start) // 2
    breaks = [gap.end() for gap in _PARAGRAPH.finditer(text, half, last)]
    if breaks := breaks or [*sentence_ends(text, half, last, lines=True)]:
        return breaks[-1]
    space = text.rfind(" ", half, last)
    return space + 1 if space > 0 else last


@dataclass(slots=True)
class _Making:
    """The chunks of one run in the making, with their numbers."""

    origin: Origin
    numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    positions: dict[int, int] = field(default_factory=dict)

    def chunk(self, items: Sequence[_Item], separator: str) -> Chunk:
        first = items[0]
        turn = first.turn
        trust = max((item.trust for item in items), key=TRUST.index)
        named = f"{first.kind}/{TOOL}" if trust == TOOL else str(first.kind)
        number = self.numbers.get((turn.id, named), 0)
        self.numbers[turn.id, named] = number + 1
        nth = self.positions.get(turn.start, 0)
        self.positions[turn.start] = nth + 1
        # The first and the last, unless the clock was set back in between.
        stamps = [item.turn.at for item in items if item.turn.at] or [""]
        path = self.origin.path
        files = dict.fromkeys(path(turn.folder, file) for item in items for file in _files(item))
        return Chunk(
            id=blake2b(f"{turn.id}\0{named}\0{number}".encode("utf-8", "replace"), digest_size=12).hexdigest(),
            kind=str(first.kind),
            text=separator.join(item.text for item in items),
            trust=trust,
            at=min(stamps),
            until=max(stamps),
            transcript=self.origin.transcript,
            position=turn.start * STEP + min(nth, STEP - 1),
            session=turn.session,
            project=self.origin.project(turn.folder),
            folder=turn.folder,
            exchange=first.exchange.id,
            turn=turn.id,
            question=question_line(first.exchange),
            branch=turn.branch,
            agent=turn.agent,
            language=first.language,
            path=path(turn.folder, first.path) if first.path else None,
            participants=tuple(sorted({_who(item) for item in items}, key=_order)),
            files=tuple(files),
        )


def heading(chunk: Chunk) -> str:
    """Return the text that a chunk is found by besides its own: the question, unless the chunk contains it."""
    return "" if chunk.kind == ChunkKind.CONVERSATION and chunk.turn == chunk.exchange else chunk.question


def searched(heading: str, path: str | None, text: str) -> str:
    """Return the text that a chunk is found by: its own, below the question and its file.

    What edits replaced is not among it: the code that they wrote is found by itself.
    """
    return f"{heading}\n{path or ''}\n{without_edits(text)}"


def is_replaced_line(paragraph: str) -> bool:
    """Whether a *paragraph* of talk says what a small edit replaced."""
    return _REPLACED.fullmatch(paragraph) is not None


def without_edits(text: str) -> str:
    """Return the *text* of a chunk of talk without what edits replaced: its matter is what was said."""
    if EDIT not in text:
        return text
    return "\n\n".join(part for part in text.split("\n\n") if not is_replaced_line(part))


def question_line(exchange: Exchange) -> str:
    """Return the question in a line."""
    line = " ".join(exchange.question[: QUESTION * 4].split())
    return line if len(line) <= QUESTION else line[: QUESTION - 1].rstrip() + "…"


def _files(item: _Item) -> Sequence[str]:
    if item.kind == ChunkKind.CODE:
        return (item.path,) if item.path else ()
    is_talk = item.kind == ChunkKind.CONVERSATION and not is_replaced_line(item.text)
    return [file for call in item.turn.calls for file in call.files] if is_talk else ()


def _who(item: _Item) -> str:
    if item.trust == TOOL:
        return TOOL
    return f"agent {item.turn.agent}" if item.turn.agent else item.turn.role


def _order(who: str) -> tuple[int, str]:
    return (TRUST.index(who) if who in TRUST else 1, who)
