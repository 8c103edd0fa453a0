"""Which sentences of past talk are shown where not all has room: those that most likely answer, in their order."""

from __future__ import annotations

from autology.hooks.messages import ASSISTANT, USER, weight
from autology.ranking.asking_form import decides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

CHANGE = "± "
"""What the line of a change to a file begins with."""
LINE = 5
"""What a line costs beside its text, in quarters of a token: its margin and its end."""
_STEM = 5
"""Letters by which a word of the question is found in other forms."""
# What a sentence is worth, in words of the question. On the open halves of prompts4, prompts5 and moment, 332 passages
# that answer, cut to 240 characters, have the sentence that answers in 290; in 269 if one stretch is shown around the
# best sentence. Half or twice of one of these values changes that by up to 6. Of 678 passages, with other sets, 576
# have it; 597 if the first sentence of a reply is preferred, and 600 if brief ones ("Tell me.") are not.
_DECIDES, _NUMBER, _SAYS, _ASKS, _USER, _CHANGE, _REPLIES = 0.75, 0.25, 1.0, -1.0, -0.5, -2.0, 1.0
_BRIEF, _FEW_WORDS = -1.0, 3
_FOLLOWS, _LEADS = 0.4, 0.25
"""The share of the words in the sentence before and after it that a sentence inherits: a conclusion says "it"."""
_NEAR, _NEARBY = 0.7, 3
"""What a word of the question is worth that stands so many sentences before or after: a session has several matters."""
_PORTIONS = (4, 3, 2, 1)
"""How the room is shared by the passages in their order."""
_LAST = len(_PORTIONS) - 1
_OF_NUMBERS = frozenset("0123456789`")
"""What a number or a name in code has."""
_GAP, _GAP_COST = "...", 8
SHORTEST = 40
"""The room from which one long sentence is cut rather than left out."""


class _Sentence:
    """A sentence: its *text*, the number of its *line*, and what its *turn* begins with."""

    __slots__ = ("line", "text", "turn")

    def __init__(self, text: str, line: int, turn: str) -> None:
        self.text, self.line, self.turn = text, line, turn


def excerpts(texts: Sequence[str], by_lines: Sequence[bool], about: str, room: int) -> list[str]:
    """Return of each of *texts* the sentences that most likely answer a question *about* that, in *room* altogether.

    Of those that are *by lines*, these are lines.
    """
    words = about.lower().split()
    parts: list[str] = []
    left = 0
    rooms_of_texts = rooms([cost(text) for text in texts], room)
    for text, is_code, own in reversed(list(zip(texts, by_lines, rooms_of_texts, strict=True))):
        part = excerpt(text, words, own + left, is_code)
        left += own - cost(part)  # the first gets what is left
        parts.insert(0, part)
    return parts


def rooms(wanted: Sequence[int], room: int) -> list[int]:
    """Return how much of *room* each passage gets that has *wanted* so much: the first most, each further one less.

    What one does not need is left to the others.
    """
    shares = [0] * len(wanted)
    while room > 0 and (open_ := [at for at in range(len(wanted)) if shares[at] < wanted[at]]):
        part = room / sum(_PORTIONS[min(at, _LAST)] for at in open_)
        for at in open_:
            more = min(wanted[at] - shares[at], 1 + int(part * _PORTIONS[min(at, _LAST)]), room)
            shares[at] += more
            room -= more
    return shares


def cost(text: str) -> int:
    """Return what *text* takes of a room, in quarters of a token."""
    return weight(text) + LINE * (text.count("\n") + 1)


def excerpt(text: str, words: Sequence[str], room: int, by_lines: bool = False) -> str:
    """Return the sentences of *text* that most likely answer a question with *words*, as many as have *room*.

    Of code, these are lines.
    """
    if cost(text) <= room:
        return text
    sentences = _sentences(text, by_lines)
    stems = [word[:_STEM] for word in words]
    values = _values(sentences, stems)
    chosen: list[int] = []
    left = room
    for at in sorted(range(len(sentences)), key=lambda at: (-values[at], at)):
        sentence = sentences[at].text
        price = weight(sentence) + LINE + (0 if at - 1 in chosen or at + 1 in chosen else _GAP_COST)
        if price <= left:
            chosen.append(at)
            left -= price
        elif not chosen and room >= SHORTEST:
            return _within(sentence, stems, room)
    last = ""
    while chosen and cost(part := _joined(sentences, sorted(chosen))) > room:  # with who says what
        last = sentences[chosen.pop()].text
    if chosen:
        return part
    return _within(last, stems, room) if last and room >= SHORTEST else ""


def _sentences(text: str, by_lines: bool) -> list[_Sentence]:
    sentences = []
    turn = ""
    for number, line in enumerate(text.split("\n")):
        turn = next((start for start in (USER, ASSISTANT, CHANGE) if line.startswith(start)), turn)
        parts = [line] if by_lines else _parts(line)
        sentences += [_Sentence(part, number, turn) for part in parts if part.strip()]
    return sentences


def _parts(line: str) -> list[str]:
    for end in (". ", "? ", "! ", "。"):
        line = line.replace(end, f"{end}\0")
    return line.split("\0")


def _values(sentences: Sequence[_Sentence], stems: Sequence[str]) -> list[float]:
    lowered = [sentence.text.lower() for sentence in sentences]
    named = [sum(1 << bit for bit, stem in enumerate(stems) if stem in lower) for lower in lowered]
    counts = [held.bit_count() for held in named]
    values = []
    for at, (sentence, lower) in enumerate(zip(sentences, lowered, strict=True)):
        value = counts[at] + _DECIDES * decides(lower)
        value += _NUMBER * (not _OF_NUMBERS.isdisjoint(lower))
        value += _ASKS * (lower.rstrip()[-1:] in ("?", "？"))
        value += _BRIEF * (lower.removeprefix(sentence.turn).count(" ") < _FEW_WORDS)
        value += _REPLIES * sentence.text.startswith(ASSISTANT)
        value += {USER: _USER, ASSISTANT: _SAYS, CHANGE: _CHANGE}.get(sentence.turn, 0.0)
        value += _FOLLOWS * (counts[at - 1] if at else 0) + _LEADS * (counts[at + 1] if at + 1 < len(counts) else 0)
        nearby = 0
        for held in named[max(0, at - _NEARBY) : at + _NEARBY + 1]:
            nearby |= held
        values.append(value + _NEAR * nearby.bit_count())
    return values


def _within(sentence: str, stems: Sequence[str], room: int) -> str:
    """Return the part of a *sentence* around the first of *stems* that has *room*."""
    lower = sentence.lower()
    first = min((at for stem in stems if (at := lower.find(stem)) >= 0), default=0)
    room -= LINE + _GAP_COST
    start = max(0, first - room // 2) if weight(sentence) > room else 0
    part = sentence[start : start + room]
    while weight(part) > room:
        part = part[: len(part) * room // weight(part)]
    return f"{part.strip()} {_GAP}"


def _joined(sentences: Sequence[_Sentence], chosen: Sequence[int]) -> str:
    """Return the *chosen* sentences, with marks where some are left out and with who said them."""
    lines: list[str] = []
    before = -1
    for at in chosen:
        sentence = sentences[at]
        text = sentence.text.strip() if sentence.turn else sentence.text.rstrip()
        is_new = before < 0 or sentences[before].line != sentence.line
        gap = f"{_GAP} " if at != before + 1 else ""
        if is_new:
            is_named = before >= 0 and sentences[before].turn == sentence.turn
            named = "" if is_named or text.startswith(sentence.turn) else sentence.turn
            lines.append(f"{named}{gap}{text}" if named else f"{gap}{text}")
        else:
            lines[-1] += f" {gap}{text}"
        before = at
    if lines and chosen[-1] < len(sentences) - 1:
        lines[-1] += f" {_GAP}"
    return "\n".join(lines)
