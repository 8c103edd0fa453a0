"""Nodes that say the same, and nodes of one title that say different things."""

from __future__ import annotations

import heapq
import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, repeat

from autology.core.analysis.finding import NAMED, WARNING, Finding
from autology.core.analysis.numbers import shared_numbers
from autology.core.analysis.relations import is_given_up
from autology.core.analysis.survey import Survey
from autology.core.records.archives import is_archived
from autology.model.next_step import PLACEHOLDER, Action, Sentence, do
from autology.model.node import Node, NodeStatus, NodeType, RelationType
from autology.ranking.fold_same_texts import nearly_same, trigram_hashes, trigrams
from autology.text.tokens import fold, title_words

MARKS, SHARED_MARKS = 12, 2
"""Lowest shingle hashes of a text, and how many of them two texts share to become candidates (MinHash). Of pairs that
share nine tenths of the shorter text's shingles, one in a hundred is missed where the other text is twice as long, and
next to none of equal length. With a single hash, twenty times as many pairs were compared."""
CROWD = 50
"""Maximum texts compared because they share one shingle: a phrase in more texts is boilerplate."""
COMMON = 20
"""Maximum nodes compared because they share one term: a term in more nodes distinguishes nothing."""
LIKELY = 0.3
"""Minimum share of common words for two texts to be compared semantically, the same as in a capture."""
FEW = 0.9 * LIKELY / (1 + LIKELY)
"""Common words per word of both texts below which the share is surely smaller than LIKELY."""
MANY_WORDS, LIKELY_OF_MANY = 15, 0.5
"""Distinct words of the shorter text from which more must be common: all labelled paraphrases of that length share 0.55
(bench/duplicates.py), and comparing two long texts takes 8 ms."""
COMPARED = 3_000
"""Maximum pairs compared semantically, those with most common words first; each takes 1 ms."""
LONGEST = 5_000
"""Maximum characters of a text whose words are compared."""

_IDENTIFIER = re.compile(r"\b(?:[A-Z]+(?:_[A-Z0-9]+)+|[a-z]+(?:_[a-z0-9]+)+|[a-z]+[A-Z]\w*)\b|`[^`\s]+`")
"""Names of settings, functions and files, as code writes them."""

_VERSION = re.compile(r"[-_. ](?:v\d+(?:\.\d+)*(?=[-_. ]|\Z)|\d+(?:\.\d+)*\Z)", re.IGNORECASE)
SAME_TEXT, NEARLY, NEARLY_TITLED, TITLED = (
    "the same text",
    "nearly the same text",
    "nearly the same title",
    "the same title",
)
SEVERAL = 3
"""Nodes of one title that are one finding: pair by pair, nine records of one title gave eight findings."""
MISTAKEN = "Readers may take one for the other."


def duplicates(survey: Survey) -> Iterator[Finding]:
    """Yield pairs of active nodes that say the same, or have the same title, the one to keep second; groups of one
    title; and the numbers that several records have.

    Nodes related to each other have been reviewed: for them only an identical text is a finding. Records follow a
    template and come in series ("Migrate Config", "Migrate Stake"): those of different titles are not duplicates.
    """
    reported: set[frozenset[str]] = set()
    namesakes: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for how, pair in _alike(survey):
        first, other = sorted(pair, key=lambda id: (survey.nodes[id].created, survey.title(id), id))
        if how == SAME_TEXT and not _adds_nothing(survey, first, other) and _adds_nothing(survey, other, first):
            first, other = other, first
        if frozenset(pair) in reported or (how != SAME_TEXT and _related(survey, first, other)):
            continue
        if _are_different_records(survey, survey.nodes[first], survey.nodes[other], how):
            continue
        reported.add(frozenset(pair))
        title = _folded_title(survey.nodes[first])
        if how in (TITLED, NEARLY_TITLED) and title == _folded_title(survey.nodes[other]):
            namesakes[title].append((first, other))
        else:
            yield _pair(survey, how, first, other)
    for pairs in namesakes.values():
        ids = list(dict.fromkeys(chain.from_iterable(pairs)))
        yield _of_one_title(survey, ids) if len(ids) >= SEVERAL else _pair(survey, TITLED, *pairs[0])
    yield from shared_numbers(survey)


def _pair(survey: Survey, how: str, first: str, other: str) -> Finding:
    """Return the finding that *other* says the same as *first*, or has its title."""
    says = how in (SAME_TEXT, NEARLY)
    what = f"Duplicate of '{survey.title(first)}'" if says else f"Same title as '{survey.title(first)}'"
    return Finding(
        "duplicates",
        WARNING,
        f"{what}: {survey.title(other)}",
        "Edits to one leave an outdated copy in search results." if says else MISTAKEN,
        _fix(survey, how, first, other),
        (survey.subject(other), survey.subject(first)),
        (f"{how} as {survey.paths[first]}",),
    )


def _of_one_title(survey: Survey, ids: Sequence[str]) -> Finding:
    """Return the finding that all of *ids* have one title."""
    what = "records" if all(survey.nodes[id].record for id in ids) else "nodes"
    more = [f"… and {len(ids) - NAMED} more"] if len(ids) > NAMED else []
    return Finding(
        "duplicates",
        WARNING,
        f"{len(ids)} {what} have the same title: {survey.title(ids[0])}",
        MISTAKEN,
        Sentence("Give each a title of its own: ", do(Action.UPDATE, id=ids[-1], title=PLACEHOLDER)),
        tuple(survey.subject(id) for id in ids),
        (*(survey.paths[id] for id in ids[:NAMED]), *more),
    )


def _are_different_records(survey: Survey, one: Node, other: Node, how: str) -> bool:
    """Whether two records are told apart: they lie in different folders, one was given up or lies in an archive, or
    their titles, numbers, versions or names differ.

    Of 29 pairs of one title in 60 unseen collections, readers found one worth telling: parameters are set again and
    again by votes of one title and nearly one text. Copies in different folders are made on purpose, for each release:
    of those in nine repositories, readers found three worth telling.
    """
    if not (one.record and other.record):
        return False
    if (
        _collection_folder(survey, one.record) != _collection_folder(survey, other.record)
        or is_archived(one.record) != is_archived(other.record)
        or is_given_up(survey, one) != is_given_up(survey, other)
        or _folded_title(one) != _folded_title(other)
        or _names(one, other)
        or _names(other, one)
    ):
        return True
    if how == SAME_TEXT:
        return False
    return (
        _have_different_numbers(survey, one.record, other.record)
        or _are_versions(one.record, other.record)
        or _name_different_things(one.content, other.content)
    )


def _collection_folder(survey: Survey, path: str) -> str:
    """Return the folder that lists the record at *path*: of a record with a folder of its own, the one above."""
    record = survey.graph.records.get(path) if survey.graph.records else None
    return posixpath.dirname(record.id_path if record else path)


def _are_versions(one: str, other: str) -> bool:
    """Whether the files of two records differ by the version in their names: ``-v1``, ``-v2``."""
    stems = [posixpath.basename(path).rpartition(".")[0] for path in (one, other)]
    bare = [_VERSION.sub("", stem) for stem in stems]
    return stems[0] != stems[1] and bare[0] == bare[1]


def _names(one: Node, other: Node) -> bool:
    """Whether the record *one* names the file of *other*: it says what that is to it."""
    stems = [posixpath.basename(node.record).rpartition(".")[0] for node in (one, other)]
    return stems[0] != stems[1] and stems[1] in one.content


def _name_different_things(one: str, other: str) -> bool:
    """Whether each of two texts has an identifier that the other lacks: siblings of a series differ in little else."""
    names, others = (set(_IDENTIFIER.findall(text[:LONGEST])) for text in (one, other))
    return bool(names - others) and bool(others - names)


def _have_different_numbers(survey: Survey, one: str, other: str) -> bool:
    """Whether both records have a number, and not the same: experiments of a series may share their title."""
    records = survey.graph.records
    both = [records.get(path) for path in (one, other)] if records else []
    numbers = {record.number for record in both if record and record.number}
    return len(numbers) == 2


def _folded_title(node: Node) -> str:
    return " ".join(fold(node.title).split())


def _fix(survey: Survey, how: str, first: str, other: str) -> Sentence:
    """Return the fix for a pair. Only a node that adds nothing of its own is to be deleted."""
    replaces = do(Action.RELATE, source=other, target=first, type=RelationType.SUPERSEDES.value)
    both = do(Action.RELATE, source=other, target=first, type=RelationType.RELATES_TO.value)
    if how == SAME_TEXT or (how == NEARLY and _is_paraphrase(survey.nodes[first].content, survey.nodes[other].content)):
        if _adds_nothing(survey, first, other):
            return Sentence(do(Action.DELETE, id=other), ", or ", replaces)
        return Sentence(replaces)
    condition = " if it is the newer state, or " if how == NEARLY else " if it replaces that one, or "
    return Sentence(replaces, condition, both, " if both hold")


def _adds_nothing(survey: Survey, first: str, other: str) -> bool:
    """Whether *other* has no tag, file or relation that would be lost with it."""
    keeps, goes = survey.nodes[first], survey.nodes[other]
    ends = {first, other}
    edges = (*survey.outgoing.get(other, ()), *survey.incoming.get(other, ()))
    led = any(edge.source not in ends or edge.target not in ends for edge in edges)
    return not led and set(goes.tags) <= set(keeps.tags) and set(goes.references) <= set(keeps.references)


def _related(survey: Survey, one: str, other: str) -> bool:
    edges = (*survey.outgoing.get(one, ()), *survey.outgoing.get(other, ()))
    return any({edge.source, edge.target} == {one, other} for edge in edges)


def _alike(survey: Survey) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield pairs of similar nodes, and how they are similar; the surest first."""
    nodes = {
        id: node
        for id, node in survey.nodes.items()
        if node.status is not NodeStatus.SUPERSEDED and node.type is not NodeType.SESSION
    }
    texts = {id: " ".join(node.content.split()) for id, node in nodes.items()}
    yield from ((SAME_TEXT, pair) for pair in _pairs(texts))
    titled = {id: f"{_folded_title(node)}\n{texts[id]}" for id, node in nodes.items() if node.record}
    yield from ((SAME_TEXT, pair) for pair in _pairs(titled))
    yield from ((NEARLY, pair) for pair in _sharing_shingles({id: node.content for id, node in nodes.items()}))
    yield from ((NEARLY, pair) for pair in _paraphrases({id: node.content[:LONGEST] for id, node in nodes.items()}))
    yield from ((TITLED, pair) for pair in _pairs({id: _folded_title(node) for id, node in nodes.items()}))
    yield from ((NEARLY_TITLED, pair) for pair in _paraphrases({id: node.title for id, node in nodes.items()}))


def _pairs(texts: Mapping[str, str]) -> Iterator[Sequence[str]]:
    """Yield each id whose text equals that of an earlier id, with the earlier one."""
    firsts: dict[str, str] = {}
    for id, text in texts.items():
        if (first := firsts.setdefault(text, id)) != id:
            yield first, id


def _paraphrases(texts: Mapping[str, str]) -> Iterator[Sequence[str]]:
    """Yield pairs of texts that say the same in other words."""
    words = {id: title_words(text) for id, text in texts.items()}
    holding: defaultdict[str, list[str]] = defaultdict(list)
    for id, vocabulary in words.items():
        for word in vocabulary:
            holding[word].append(id)
    # The words that two texts share: the rare ones are counted, and of the others each text has a mask.
    frequent = {word: 1 << at for at, word in enumerate(w for w, ids in holding.items() if len(ids) > COMMON)}
    masks = {id: sum(map(frequent.get, vocabulary, repeat(0))) for id, vocabulary in words.items()}
    rare = Counter(chain.from_iterable(combinations(ids, 2) for ids in holding.values() if 1 < len(ids) <= COMMON))
    near = []
    for pair, count in rare.items():
        one, other = pair
        common = count + (masks[one] & masks[other]).bit_count()
        length = len(words[one]) + len(words[other])
        if common < FEW * length:
            continue  # most pairs
        if share := _likely(len(words[one]), len(words[other]), common):
            near.append((share, pair))
    for _, pair in heapq.nlargest(COMPARED, near):
        if _is_paraphrase(texts[pair[0]], texts[pair[1]]):
            yield pair


def _likely(one: int, other: int, common: int) -> float:
    """Return the share of words that two texts have in common; 0 if it is too small for paraphrases.

    They have *one* and *other* words, and *common* ones."""
    share = common / (one + other - common)
    return share if share >= (LIKELY if min(one, other) < MANY_WORDS else LIKELY_OF_MANY) else 0.0


def _is_paraphrase(one: str, other: str) -> bool:
    from autology.ranking.same_statement import says_the_same  # its word lists cost 30 ms to read

    return says_the_same(one, other)


def _sharing_shingles(texts: Mapping[str, str]) -> Iterator[Sequence[str]]:
    """Yield pairs of texts that share their shingles; compared only if they share some of the lowest hashes."""
    sharing: defaultdict[int, list[str]] = defaultdict(list)
    for id, text in texts.items():
        for mark in sorted(set(trigram_hashes(text)))[:MARKS]:
            sharing[mark].append(id)
    shared = Counter(chain.from_iterable(combinations(ids[:CROWD], 2) for ids in sharing.values()))
    compared = {pair: None for pair, count in shared.items() if count >= SHARED_MARKS}
    shingles = {id: trigrams(texts[id]) for id in {*chain.from_iterable(compared)}}
    for pair in compared:
        if nearly_same(shingles[pair[0]], shingles[pair[1]]):
            yield pair
