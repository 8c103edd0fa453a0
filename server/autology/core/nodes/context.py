"""The nodes that are relevant to the current work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from autology.core.hybrid_search import rank
from autology.core.nodes.drift_watch import Watch
from autology.core.nodes.graph import Graph
from autology.core.nodes.search import unread
from autology.core.paths import inside
from autology.model.argument_limits import CONTEXT_NODES
from autology.model.errors import ValidationError
from autology.model.hit import Source
from autology.model.node import Node
from autology.model.query import Filter, Terms
from autology.ranking.fusion import Ranked
from autology.ranking.note_relevance import GROUPS, NAMES, Factor, Facts, alike, factors, group, kin, nearness
from autology.text.markdown.snippets import words_in
from autology.text.tokens import query_terms

TASK_LIMIT = 10_000
"""Characters of a task or conversation that are used: the last ones, if it is longer."""
RECENT_FILES = 20
"""Recently opened files that are considered."""
POOL = 50
"""Nodes considered from each retriever."""
MIN_SCORE_SHARE = 0.5
"""Share of the best hit's score that a node needs to count as an answer to the task."""
MIN_WORD_SHARE = 0.4
"""Share of the task's words that a lower-ranked node needs to count as relevant to it: if one title equals the task,
every other node has less than half of its score."""
WORDS = 6
"""Words of the task that are listed for a node."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The current work: the open file, the files opened before it, the task, and the recent conversation."""

    current_file: str | None = None
    recent_files: tuple[str, ...] = ()
    task: str = ""
    conversation: str = ""


@dataclass(frozen=True, slots=True)
class Relevant:
    """A relevant node, its score, the factors, and its drift."""

    node: Node
    path: str
    score: float
    factors: tuple[Factor, ...]
    drifted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """The relevant nodes, best first; the number omitted, the normalised situation, and notes."""

    nodes: tuple[Relevant, ...]
    more: int
    situation: Situation
    notes: tuple[str, ...] = field(default=())


def context(graph: Graph, root: str, current: Situation, limit: int = 10, watch: Watch | None = None) -> Context:
    """Return the nodes most relevant to the situation *current*; *root* is the project's folder.

    With a *watch*, their drift is included.

    Raises:
        ValidationError: a path lies outside the project, or the limit is out of range.
    """
    if not 1 <= limit <= CONTEXT_NODES:
        raise ValidationError(
            "max_nodes", f"{limit} is outside 1-{CONTEXT_NODES}", f"Give a number from 1 to {CONTEXT_NODES}."
        )
    situation = _normalised(current, root)
    return graph.read_current(lambda: _context(graph, situation, limit, watch))


def _normalised(situation: Situation, root: str) -> Situation:
    current = inside(situation.current_file, root, "current_file") if situation.current_file else None
    return Situation(
        current_file=current,
        recent_files=tuple(dict.fromkeys(_recent(situation.recent_files[-RECENT_FILES:], root))),
        task=situation.task.strip()[-TASK_LIMIT:],
        conversation=situation.conversation.strip()[-TASK_LIMIT:],
    )


def _recent(paths: Sequence[str], root: str) -> Iterator[str]:
    """Yield those of *paths* that lie in the project: users open other files, too."""
    for path in paths:
        try:
            known = inside(path, root, "recent_files")
        except ValidationError:
            continue
        if known:
            yield known


def _context(graph: Graph, situation: Situation, limit: int, watch: Watch | None) -> Context:
    query = situation.task or situation.conversation
    ranked = rank(graph.index, query, Filter(), POOL) if query else []
    answers = _best(ranked)
    files = [path for path in (situation.current_file, *situation.recent_files) if path]
    kin_names = " ".join(dict.fromkeys(map(kin, files)))
    named = _best(rank(graph.index, kin_names, Filter(), POOL)) if kin_names else {}
    near = {**answers, **_of_files(graph, files), **named}
    task = Task(query, answers)
    others = graph.readable([hit.source for hit in ranked if hit.source.id not in near])
    readable = [*graph.readable(list(near.values())), *(one for one in others if task.words(one[0]))]
    relations = _relations(graph, [node.id for node, _ in readable])
    relevant: list[Relevant] = []
    tie_breakers: dict[str, float] = {}
    shares = alike([node for node, _ in readable], files)
    for node, source in readable:
        node_facts = Facts(relations.get(node.id, 0), task.words(node))
        reasons = factors(node, situation.current_file, situation.recent_files, node_facts, graph.now())
        if not {factor.name for factor in reasons} & _LINKING_FACTORS:
            if not shares[node.id] and node.id not in named:
                continue
            reasons.insert(0, NAMES)
        tie_breakers[node.id] = nearness(shares[node.id], node.modified, graph.now())
        relevant.append(Relevant(node, source.path, round(sum(factor.points for factor in reasons), 4), tuple(reasons)))
    relevant.sort(key=lambda one: (GROUPS.index(group(one.score)), -one.score - tie_breakers[one.node.id]))
    notes = (*graph.notes, *unread(graph))
    drift = watch.of(one.node for one in relevant[:limit]) if watch else {}
    shown = tuple(replace(one, drifted=drift.get(one.node.id, ())) for one in relevant[:limit])
    return Context(shown, max(0, len(relevant) - limit), situation, notes)


_LINKING_FACTORS = {"current_file", "current_folder", "recent_file", "task"}
"""The factors that tie a node to the situation; the others only describe the node."""


def _best(ranked: Sequence[Ranked]) -> Mapping[str, Source]:
    """Return the hits that score nearly as well as the best."""
    min_score = MIN_SCORE_SHARE * ranked[0].score if ranked else 0.0
    return {hit.source.id: hit.source for hit in ranked if hit.score >= min_score}


@dataclass(frozen=True, slots=True)
class Task:
    """The task's words, and the nodes that answer it best."""

    text: str
    answers: Mapping[str, Source]

    def words(self, node: Node) -> tuple[str, ...]:
        """Return the words of the task that *node* mentions; empty if they are too few.

        A node among the answers always has some, even if it says the task in other words.
        """
        if not self.text:
            return ()
        shared_words = words_in(f"{node.title}\n{node.content}", self.text)
        if node.id in self.answers:
            return tuple(shared_words[:WORDS]) or ("the same in other words",)
        enough = len(shared_words) >= MIN_WORD_SHARE * len(query_terms(self.text))
        return tuple(shared_words[:WORDS]) if enough else ()


def _of_files(graph: Graph, files: Sequence[str]) -> Mapping[str, Source]:
    """Return the nodes that refer to one of *files*, to a folder around it, or name it."""
    sources = {s.id: s for s in graph.index.listed(Filter(references=tuple(files)), POOL * 4, "")} if files else {}
    for path in files[:RECENT_FILES]:
        if "/" in path:  # a name alone occurs in every text about any such file
            named = graph.index.lexical_candidates(Terms(query_terms(path)), Filter(), True, POOL)
            sources.update((candidate.source.id, candidate.source) for candidate in named)
    return sources


def _relations(graph: Graph, ids: Sequence[str]) -> Mapping[str, int]:
    """Return how many relations each of *ids* has, in both directions."""
    counts = dict.fromkeys(ids, 0)
    for edge in graph.index.edges(ids) if ids else ():
        for end in {edge.source, edge.target}:
            if end in counts:
                counts[end] += 1
    return counts
