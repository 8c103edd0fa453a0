"""Duplicate detection: two texts say the same if all numbers, names and negations agree and hardly a word is left."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from autology.model.memory import Kind, Memory, content_hash
from autology.ranking import exchanged
from autology.ranking.aligned import Aligned, Encode, align, classes, is_light, is_verb, opposed
from autology.ranking.codes import SCALE, rescore
from autology.text.saying import Saying, Token, saying
from autology.text.scanning import AMOUNT, EXACT, FILL, NAME, WORD
from autology.text.tokens import STOP_WORDS
from autology.text.vocabulary import SIGNS, stem

LEFT_OVER = 0.25
"""The share of a text's content words that the other may lack (bench/duplicates.py)."""
RETOLD = 0.8
FEW = 3
TURNED = 0.34
PHRASE = 0.2
"""Limits of a paraphrase with another verb: cosine of the texts, unmatched words each, their share, and the cosine of
those words. With half of the thesaurus removed, of 694 pairs 17 more are recognised, none wrongly."""
HOPELESS = 0.5
"""The unmatched share that synonyms cannot make up for: labelled duplicates stay below 0.33."""
ENOUGH = 12
SHARED = 0.5
"""Minimum distinct words, and the share that duplicates have in common: labelled duplicates all share 0.6."""
THRESHOLD = 0.85
"""The similarity from which two texts may be duplicates, on document 003's scale."""
NEAR = 0.6
"""This encoder's cosine that maps to THRESHOLD: 99 in 100 labelled duplicates are above."""
LONGEST = 8_000
MOST = 1_500
"""Maximum characters and words for a word-by-word comparison; longer texts must be equal."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether two texts are the *same*, their similarity (0-1), and the first aspect in which they *differ*."""

    same: bool
    similarity: float
    differ: str | None = None


def duplicate(one: Memory, other: Memory, encode: Encode | None = None, cosine: float | None = None) -> Verdict:
    """Return whether *other* duplicates *one*; never across kinds or scopes."""
    if one.kind is not other.kind or one.scope != other.scope:
        return Verdict(False, 0.0, "kind" if one.kind is not other.kind else "scope")
    steps, literal = one.kind is Kind.RUNBOOK, one.kind is Kind.DDL
    return compare(one.content, other.content, encode, cosine, steps=steps, literal=literal)


def compare(
    one: str,
    other: str,
    encode: Encode | None = None,
    cosine: float | None = None,
    *,
    steps: bool = False,
    literal: bool = False,
) -> Verdict:
    """Return whether two texts say the same; *steps* are ordered, *literal* texts must match word for word.

    *encode* returns the vectors of texts; without it fewer synonyms are known. *cosine* is theirs,
    if already computed.
    """

    if content_hash(one) == content_hash(other):
        return Verdict(True, 1.0)
    if literal or any(len(text) > LONGEST or len(text.split()) > MOST for text in (one, other)):
        same = _literal(one) == _literal(other)
        return Verdict(same, 1.0 if same else 0.0, None if same else "wording")
    cosine = _cosine(one, other, encode) if cosine is None else cosine
    if _foreign(_stems(one), _stems(other)):
        return Verdict(False, 0.0 if cosine is None else _similarity(cosine), "words")
    aligned = plain = align(saying(one), saying(other))
    # Synonyms by cosine cost ten times as much.
    if encode is not None and _left_over(aligned) <= HOPELESS and next(_certain(aligned), None) is None:
        aligned = align(aligned.one, aligned.other, encode)
    similarity = 1 - _left_over(aligned) if cosine is None else _similarity(cosine)
    differ = next(_differences(aligned, plain, steps, lambda: _retold(aligned, cosine, encode)), None)
    return Verdict(False, similarity, differ) if differ else Verdict(True, max(similarity, THRESHOLD))


def _foreign(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two texts, neither of them short, share too few words to be worth aligning, the expensive step."""
    least = min(len(one), len(other))
    return least >= ENOUGH and len(one & other) < SHARED * least


@lru_cache(maxsize=512)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in re.findall(r"\w{3,}", text.lower()) if word not in STOP_WORDS)


def _literal(text: str) -> str:
    return re.sub(r"\s*([(),;])\s*", r"\1", " ".join(text.split())).casefold()


def _cosine(one: str, other: str, encode: Encode | None) -> float | None:
    """Return the cosine of two texts' vectors; None if one is zero."""
    rows: Sequence[bytes] = encode([one, other]) if encode is not None else ()
    return rescore(rows[0], rows[1:])[0] / SCALE**2 if rows and all(map(any, rows)) else None


def _similarity(cosine: float) -> float:
    """Map a cosine to document 003's scale: NEAR becomes THRESHOLD, 0 and 1 stay."""
    within = max(0.0, min(1.0, cosine))
    if within < NEAR:
        return THRESHOLD * within / NEAR
    return THRESHOLD + (1 - THRESHOLD) * (within - NEAR) / (1 - NEAR)


def _left_over(aligned: Aligned) -> float:
    """Return the share of unmatched content words, of the text with the larger share."""
    shares = []
    for text, only in ((aligned.one, aligned.only_one), (aligned.other, aligned.only_other)):
        telling = sum(token.tells for token in text.tokens)
        shares.append(sum(not is_light(token) for token in only) / max(1, telling))
    return max(shares)


def _differences(aligned: Aligned, plain: Aligned, steps: bool, retold: Callable[[], bool]) -> Iterator[str]:
    """Yield the differences; *plain* is the alignment with thesaurus synonyms only."""
    one, other = aligned.one, aligned.other
    yield from _certain(aligned)
    if _opposite(aligned):
        yield "opposites"
    if (_left_over(aligned) > LEFT_OVER or _replaced(aligned)) and not retold():
        yield "words"
    if _excluding(aligned) or _missing(one, aligned.only_one) or _missing(other, aligned.only_other):
        yield "words"
    # In an identical frame, a word that is a synonym only by cosine is more often a different fact.
    if exchanged.edited(aligned) or exchanged.recounted(aligned) or exchanged.edited(plain):
        yield "words"
    if (
        exchanged.swapped(aligned)
        or exchanged.turned(aligned)
        or exchanged.rebound(aligned)
        or exchanged.rejected(aligned)
    ):
        yield "roles"
    if exchanged.mistimed(aligned) or ((steps or one.ordered or other.ordered) and exchanged.reordered(aligned)):
        yield "order"


def _replaced(aligned: Aligned) -> bool:
    """Whether both texts have unmatched words, or a word was replaced."""
    return all(map(_telling, (aligned.only_one, aligned.only_other))) or exchanged.substituted(aligned)


def _telling(only: Sequence[Token]) -> list[Token]:
    return [token for token in only if not is_light(token)]


def _retold(aligned: Aligned, cosine: float | None, encode: Encode | None) -> bool:
    """Whether the few unmatched words are a paraphrase with another verb and nearly the same in meaning."""
    alone = [_telling(only) for only in (aligned.only_one, aligned.only_other)]
    if encode is None or cosine is None or cosine < RETOLD or not all(0 < len(tokens) <= FEW for tokens in alone):
        return False
    if _left_over(aligned) > TURNED or any(token.kind != WORD for tokens in alone for token in tokens):
        return False
    if not any(is_verb(token) for tokens in alone for token in tokens):
        return False
    if any(opposed(one, two) or stem(one.word) == stem(two.word) for one, two in product(*alone)):
        return False
    mine, theirs = (" ".join(token.word for token in tokens) for tokens in alone)
    near = _cosine(mine, theirs, encode)
    return near is not None and near >= PHRASE


def _certain(aligned: Aligned) -> Iterator[str]:
    """Yield differences that no synonym can resolve."""
    only = (*aligned.only_one, *aligned.only_other)
    if aligned.one.code != aligned.other.code:
        yield "code"
    for name, kind in (("numbers", AMOUNT), ("identifiers", EXACT), ("names", NAME)):
        if any(token.kind == kind for token in only):
            yield name
    yield from _turns(aligned.one, aligned.other)


def _turns(one: Saying, other: Saying) -> Iterator[str]:
    if one.negations[0] > other.negations[1] or other.negations[0] > one.negations[1]:
        yield "negation"
    if not (one.force <= other.force or other.force <= one.force):
        yield "certainty"
    if not (one.times <= other.times or other.times <= one.times):
        yield "time"
    if one.shares != other.shares:
        yield "share"


def _opposite(aligned: Aligned) -> bool:
    """Whether a word is replaced by its opposite, or a negative word occurs in one text only."""
    mine, theirs = ({(token.key, token.sign) for token in text.tokens if token.sign} for text in _texts(aligned))
    shared = {key for key, _ in mine} & {key for key, _ in theirs}
    if {pair for pair in mine if pair[0] in shared} != {pair for pair in theirs if pair[0] in shared}:
        return True
    only = (*aligned.only_one, *aligned.only_other)
    return any(token.sign < 0 and not _is_state(token) for token in only)


def _is_state(token: Token) -> bool:
    """Whether `not` turns the word into its opposite, so that negations already count it."""
    return SIGNS.get(stem(token.word), ("", 0, True))[2]


def _excluding(aligned: Aligned) -> bool:
    """Whether each text has an unmatched word of the same family of mutually exclusive words."""
    mine, theirs = (_families(only) for only in (aligned.only_one, aligned.only_other))
    one, other = _texts(aligned)
    return bool(mine & theirs or mine & _filling(other, one) or theirs & _filling(one, other))


def _texts(aligned: Aligned) -> tuple[Saying, Saying]:
    return aligned.one, aligned.other


def _families(tokens: Sequence[Token]) -> frozenset[int]:
    return frozenset().union(*map(classes, tokens))


def _filling(text: Saying, beside: Saying) -> frozenset[int]:
    words = {token.word for token in beside.tokens}
    return _families([token for token in text.tokens if token.kind == FILL and token.word not in words])


def _missing(text: Saying, only: Sequence[Token]) -> bool:
    """Whether the other text lacks a whole clause of at least two content words."""
    gone = Counter(token.clause for token in only)
    whole = Counter(token.clause for token in text.tokens if token.tells)
    return any(count >= 2 and count == whole[clause] for clause, count in gone.items())
