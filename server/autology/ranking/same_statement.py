"""Duplicate detection: two texts say the same if numbers, names and negations agree and hardly a word is unmatched."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from autology.model.memory import Kind, Memory, content_hash
from autology.ranking import order_differences, swapped_roles
from autology.ranking.alignment import Alignment, Encode, align, families, is_light, signed
from autology.ranking.quantized_vectors import SCALE, rescore
from autology.ranking.replaced_words import names_something_else, replaces_a_word
from autology.text.language.comparison_words import AMOUNT, EXACT, NAME
from autology.text.language.statement import Statement, Token, statement
from autology.text.tokens import STOP_WORDS
from autology.text.wordlists import opposites, root

LEFT_OVER = 0.25
"""The maximum share of a text's significant words without a counterpart (bench/duplicates.py)."""
MAX_LEFT_OVER = 0.5
"""The share above which synonyms are not searched: no detected labelled pair has more."""
EDIT_RATIO = 0.8
"""The minimum ratio of common word sequences at which one text is an edited version of the other."""
MIN_WORDS = 12
MIN_SHARED = 0.5
"""Minimum distinct words, and the share that duplicates have in common: labelled duplicates all share 0.6."""
THRESHOLD = 0.85
"""The similarity from which two texts may be duplicates, on document 003's scale."""
NEAR = 0.6
"""This encoder's cosine that maps to THRESHOLD: 99 in 100 labelled duplicates are above."""
LONGEST = 8_000
MAX_WORDS = 1_500
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


def says_the_same(one: str, other: str) -> bool:
    """Return whether two texts say the same, as :func:`compare` does without *encode*; mostly without parsing them."""
    if replaces_a_word(one, other) or names_something_else(one, other):
        return False
    return compare(one, other).same


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
    if literal or any(len(text) > LONGEST or len(text.split()) > MAX_WORDS for text in (one, other)):
        same = _literal(one) == _literal(other)
        return Verdict(same, 1.0 if same else 0.0, None if same else "wording")
    cosine = _cosine(one, other, encode) if cosine is None else cosine
    if _share_few_words(_stems(one), _stems(other)):
        return Verdict(False, 0.0 if cosine is None else _similarity(cosine), "words")
    aligned = align(statement(one), statement(other))
    # Synonyms that only meaning tells cost ten times as much.
    if (
        encode is not None
        and _left_over(aligned) <= MAX_LEFT_OVER
        and next(_definite_differences(aligned), None) is None
    ):
        aligned = align(aligned.one, aligned.other, encode)
    similarity = 1 - _left_over(aligned) if cosine is None else _similarity(cosine)
    differ = next(_differences(aligned, steps), None)
    return Verdict(False, similarity, differ) if differ else Verdict(True, max(similarity, THRESHOLD))


def _share_few_words(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two texts, neither of them short, share too few words to be worth aligning, the expensive step."""
    shorter = min(len(one), len(other))
    return shorter >= MIN_WORDS and len(one & other) < MIN_SHARED * shorter


@lru_cache(maxsize=64)
def _stems(text: str) -> frozenset[str]:
    return frozenset(root(word) for word in re.findall(r"\w{3,}", text.lower()) if word not in STOP_WORDS)


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


def _left_over(aligned: Alignment) -> float:
    """Return the larger of both texts' shares of significant words that the other text lacks."""
    sides = ((aligned.one, aligned.only_one), (aligned.other, aligned.only_other))
    return max(len(_significant(only)) / max(1, len(text.telling)) for text, only in sides)


def _significant(only: Sequence[Token]) -> list[Token]:
    return [token for token in only if not is_light(token)]


def _differences(aligned: Alignment, steps: bool) -> Iterator[str]:
    """Yield the aspects in which the texts differ."""
    one, other = aligned.one, aligned.other
    yield from _definite_differences(aligned)
    if _has_opposites(aligned):
        yield "opposites"
    if _has_replacement(aligned) or _left_over(aligned) > LEFT_OVER or _has_edit(aligned):
        yield "words"
    if _lacks_clause(one, aligned.only_one) or _lacks_clause(other, aligned.only_other):
        yield "words"
    if swapped_roles.differ(aligned):
        yield "roles"
    if order_differences.timing_differs(aligned) or (
        (steps or one.ordered or other.ordered) and order_differences.steps_differ(aligned)
    ):
        yield "order"


def _definite_differences(aligned: Alignment) -> Iterator[str]:
    """Yield the aspects in which the texts differ whatever the synonyms."""
    one, other = aligned.one, aligned.other
    if one.code != other.code:
        yield "code"
    kinds = {token.kind for token in (*aligned.only_one, *aligned.only_other)}
    yield from (name for name, kind in (("numbers", AMOUNT), ("identifiers", EXACT), ("names", NAME)) if kind in kinds)
    if one.negations[0] > other.negations[1] or other.negations[0] > one.negations[1]:
        yield "negation"
    if not (one.certainty <= other.certainty or other.certainty <= one.certainty):
        yield "certainty"
    if not (one.time <= other.time or other.time <= one.time):
        yield "time"
    if one.share != other.share:
        yield "share"


def _has_opposites(aligned: Alignment) -> bool:
    """Whether one text has the opposite of a word of the other, or only one text has the lesser side of an opposite."""
    mine, theirs = (
        {(token.key, token.sign) for token in text.telling if token.sign} for text in (aligned.one, aligned.other)
    )
    shared = {key for key, _ in mine} & {key for key, _ in theirs}
    if {side for side in mine if side[0] in shared} != {side for side in theirs if side[0] in shared}:
        return True
    # Where `not` makes it its opposite, negations count it already.
    lesser = [token for token in (*aligned.only_one, *aligned.only_other) if token.sign < 0]
    return any(not (side := opposites().get(root(token.word))) or not side.stateful for token in lesser)


def _has_replacement(aligned: Alignment) -> bool:
    """Whether each text has a word that the other lacks, or a different word of a mutually exclusive family."""
    only = aligned.only_one, aligned.only_other
    if all(map(_significant, only)):
        return True
    one, other = aligned.one, aligned.other
    return not _families(one, only[0], other).isdisjoint(_families(other, only[1], one))


def _families(text: Statement, only: Sequence[Token], other: Statement) -> frozenset[int]:
    """Return the families of the words in *text* that the other lacks, light words included."""
    other_words = {token.word for token in other.tokens}
    light = (token for token in text.tokens if not token.tells and token.word not in other_words)
    return frozenset().union(*(families(token) for token in (*only, *light)))


def _lacks_clause(text: Statement, only: Sequence[Token]) -> bool:
    """Whether the other text lacks a complete clause of at least two significant words."""
    missing_words = Counter(token.clause for token in only)
    clause_words = Counter(token.clause for token in text.telling)
    return any(count >= 2 and count == clause_words[clause] for clause, count in missing_words.items())


def _has_edit(aligned: Alignment) -> bool:
    """Whether the texts have the same structure, but a word is replaced by another that is not a certain synonym."""
    other_keys = [signed(token, {}) for token in aligned.other.telling]
    for key_map in (aligned.key_map, aligned.certain):
        one_keys = [signed(token, key_map) for token in aligned.one.telling]
        match = SequenceMatcher(None, one_keys, other_keys, autojunk=False)
        if match.quick_ratio() >= EDIT_RATIO and match.ratio() >= EDIT_RATIO:
            edits = ((one_keys[a:b], other_keys[c:d]) for kind, a, b, c, d in match.get_opcodes() if kind == "replace")
            if any(sorted(old_keys) != sorted(new_keys) for old_keys, new_keys in edits):
                return True
    return False
