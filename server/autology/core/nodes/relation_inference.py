"""Inferring relations from a new note's words, tags and files: seven rules, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from math import prod

from autology.model.node import Node, NodeType, RelationType
from autology.text.tokens import STOP_WORDS, fold, title_words

AUTOMATIC = 0.8
"""The confidence from which a relation may be created automatically."""
SUPERSESSION_WORDS = ("supersedes", "replaces", "obsoletes", "deprecates")


@dataclass(frozen=True, slots=True)
class Inferred:
    """A relation inferred by one or several rules, with their combined confidence.

    *automatic* if one of them may create it without asking.
    """

    source: str
    target: str
    type: RelationType
    confidence: float
    reasons: tuple[str, ...]
    automatic: bool


def infer(new: Node, others: Iterable[Node]) -> tuple[Inferred, ...]:
    """Return the relations between *new* and each of *others*, surest first."""
    return combine([hint for other in others if other.id != new.id for hint in evidence(new, other)])


def evidence(new: Node, other: Node) -> list[Inferred]:
    """Return what each rule infers between two nodes."""
    return [hint for rule in RULES for hint in rule(new, other)]


def combine(evidence: Sequence[Inferred]) -> tuple[Inferred, ...]:
    """Return one relation for each pair and type: independent evidence adds up as 1 - prod(1 - c)."""
    combined = []
    for _, same in groupby(sorted(evidence, key=_key), _key):
        items = sorted(same, key=lambda item: -item.confidence)
        confidence = round(1 - prod(1 - item.confidence for item in items), 4)
        automatic = any(item.automatic for item in items)
        reasons = tuple(dict.fromkeys(reason for item in items for reason in item.reasons))
        combined.append(replace(items[0], confidence=confidence, reasons=reasons, automatic=automatic))
    return tuple(sorted(combined, key=lambda item: (-item.confidence, _key(item))))


def _key(item: Inferred) -> tuple[str, str, str]:
    """The key by which two inferred relations are the same."""
    return (item.source, item.target, item.type.value)


def jaccard(one: Iterable[str], other: Iterable[str]) -> float:
    """Return the Jaccard index of two sets; 0 for two empty ones."""
    first, second = set(one), set(other)
    return len(first & second) / len(first | second) if first or second else 0.0


def _shared_tags(new: Node, other: Node) -> Iterable[Inferred]:
    overlap = jaccard(new.tags, other.tags)
    if overlap >= 0.3:
        yield _relates(new, other, overlap, f"Tag overlap: {overlap * 100:.0f}%", automatic=False)


def _similar_titles(new: Node, other: Node) -> Iterable[Inferred]:
    overlap = jaccard(title_words(new.title), title_words(other.title))
    if overlap >= 0.4:
        yield _relates(new, other, overlap * 0.9, "Similar titles", automatic=False)


def _common_files(new: Node, other: Node) -> Iterable[Inferred]:
    common = [path for path in new.references if path in other.references]
    if common:
        yield _relates(new, other, 0.7, f"Common files: [{', '.join(common)}]", automatic=True)


def _implementation(new: Node, other: Node) -> Iterable[Inferred]:
    for component, decision in ((new, other), (other, new)):
        if component.type is NodeType.COMPONENT and decision.type is NodeType.DECISION:
            words = [word for word in title_words(decision.title) if word not in STOP_WORDS]
            content = fold(component.content)
            if sum(word in content for word in words) >= 2:
                reason = "Component implements decision"
                yield Inferred(component.id, decision.id, RelationType.IMPLEMENTS, 0.75, (reason,), automatic=True)


def _supersession(new: Node, other: Node) -> Iterable[Inferred]:
    if new.type is not other.type or jaccard(title_words(new.title), title_words(other.title)) < 0.6:
        return
    newer, older = (new, other) if new.created >= other.created else (other, new)
    content = newer.content.lower()
    if any(word in content for word in SUPERSESSION_WORDS):
        reason = "Supersession detected"
        yield Inferred(newer.id, older.id, RelationType.SUPERSEDES, 0.85, (reason,), automatic=False)


def _same_session(new: Node, other: Node) -> Iterable[Inferred]:
    for session, node in ((new, other), (other, new)):
        spoken = session.type is NodeType.SESSION and node.type is not NodeType.SESSION
        if spoken and node.session and node.session in (session.id, session.session):
            reason = "Created in same session"
            yield Inferred(node.id, session.id, RelationType.DERIVED_FROM, 1.0, (reason,), automatic=True)


def _dependency(new: Node, other: Node) -> Iterable[Inferred]:
    for node, target in ((new, other), (other, new)):
        if mentions(node.content, target.title):
            reason = "Dependency mentioned in content"
            yield Inferred(node.id, target.id, RelationType.DEPENDS_ON, 0.8, (reason,), automatic=True)


_USES = ("uses ", "depends on ", "requires ")
_SAYS_SO = re.compile("uses|depends|requires")


def mentions(content: str, title: str) -> bool:
    """Whether *content* says that it uses, depends on or requires *title*."""
    lower, words = content.lower(), title.lower().split()
    if not words or max(words, key=len) not in lower or not _SAYS_SO.search(lower):
        return False  # most pairs end here, in a tenth of the time
    text, name = _level(content), " ".join(words)
    for verb in _USES:
        at = text.find(verb + name)
        while at >= 0:
            end = at + len(verb) + len(name)
            if not text[at - 1 : at].isalnum() and not text[end : end + 1].isalnum():
                return True
            at = text.find(verb + name, end)
    return False


def mentioned(content: str) -> list[str]:
    """Return candidates for names behind "uses", "depends on" or "requires" in *content*: titles to look up."""
    names: dict[str, None] = {}
    text = _level(content)
    for match in _VERB.finditer(text):
        words = text[match.end() : match.end() + 120].split()[:12]
        for count in range(1, len(words) + 1):
            name = " ".join(words[:count])
            names.update(dict.fromkeys((name, name.rstrip(".,;:!?)'\"`*"))))
        if len(names) > 500:  # a long note that "uses" everything; its first mentions are enough
            break
    return list(names)


_VERB = re.compile(r"\b(?:uses|depends on|requires) ")


@lru_cache(maxsize=64)  # one new note against many: its own text is normalised once
def _level(text: str) -> str:
    return " ".join(text.lower().split())


def _relates(new: Node, other: Node, confidence: float, reason: str, automatic: bool) -> Inferred:
    return Inferred(new.id, other.id, RelationType.RELATES_TO, confidence, (reason,), automatic)


RULES: tuple[Callable[[Node, Node], Iterable[Inferred]], ...] = (
    _shared_tags,
    _similar_titles,
    _common_files,
    _implementation,
    _supersession,
    _same_session,
    _dependency,
)
