"""Reviews: the notes that need one, and its outcome, recorded in the note."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from autology.core.analysis.analyze import analyze
from autology.core.analysis.finding import NOTICE, Finding
from autology.core.content.codec import clean
from autology.core.nodes import pins, sealing, status_transitions, supersession
from autology.core.nodes.graph import Graph
from autology.core.nodes.node_draft import NodeDraft
from autology.core.nodes.pins import REVIEWED
from autology.core.nodes.relate import relate
from autology.core.nodes.version_control import History
from autology.model.errors import ValidationError
from autology.model.hit import Source
from autology.model.next_step import Action, Sentence, do
from autology.model.node import (
    NODES,
    DecisionStatus,
    Node,
    NodeStatus,
    NodeType,
    RelationType,
    check_content,
    check_text,
    check_title,
    decision_status,
)
from autology.model.query import Filter
from autology.text.notes.frontmatter import texts

REVIEWS = "reviews"
"""The key of a node's reviews in its file, the newest last."""
KEPT_REVIEWS = 20
REASON = 500
"""Characters of a reason."""
_ALWAYS = ("frozen", "stale", "dangling", "chains")
"""Checks whose findings a review fixes by its change; others are settled by the review itself."""


@dataclass(frozen=True, slots=True)
class NodeToReview:
    """A node that needs a review, and why: the findings of which it is the first subject."""

    node: Node
    findings: tuple[Finding, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons, one per line."""
        lines = [line for finding in self.findings for line in (finding.evidence or (finding.what,))]
        return tuple(dict.fromkeys([*(["its status is needs_review"] if self._is_marked else []), *lines]))

    @property
    def _is_marked(self) -> bool:
        return self.node.status is NodeStatus.NEEDS_REVIEW


@dataclass(frozen=True, slots=True)
class Reviews:
    """The nodes that need a review, worst first, and findings that are not about a node."""

    waiting: tuple[NodeToReview, ...]
    others: tuple[Finding, ...]
    notes: tuple[str, ...] = ()


def reviews(graph: Graph, history: History) -> Reviews:
    """Return the nodes that need a review: drifted, marked so, or with an open finding."""
    analysis = analyze(graph, history)
    grave = [finding for finding in analysis.findings if finding.severity != NOTICE]
    ids = [finding.subjects[0].id for finding in grave if finding.subjects and finding.subjects[0].id]
    marked = graph.readable(graph.index.listed(Filter(status=NodeStatus.NEEDS_REVIEW.value), -1, ""))
    nodes = {node.id: node for node, _ in graph.readable(list(graph.index.by_ids(ids).values()))}
    nodes = {id: nodes[id] for id in dict.fromkeys(ids) if id in nodes} | {node.id: node for node, _ in marked}
    waiting = []
    for id, node in nodes.items():
        own = [finding for finding in grave if finding.subjects and finding.subjects[0].id == id]
        open_ = tuple(finding for finding in own if finding.check in _ALWAYS or not _is_reviewed(node))
        if open_ or node.status is NodeStatus.NEEDS_REVIEW:
            waiting.append(NodeToReview(node, open_))
    others = tuple(finding for finding in grave if not (finding.subjects and finding.subjects[0].id))
    return Reviews(tuple(waiting), others, analysis.notes)


def keep(graph: Graph, id: str, reason: str = "") -> Node:
    """Confirm a node: its references are pinned to their current contents, and it is active again.

    Raises:
        ValidationError: its accepted text was changed, and no reason says why that is kept.
    """
    return _reviewed(graph, id, "kept", reason, lambda node: node)


def amend(graph: Graph, id: str, title: str | None, content: str | None, reason: str) -> Node:
    """Change a node's text, even if frozen; the reason is recorded in it.

    Raises:
        ValidationError: a text is invalid, or an accepted decision's is changed without a reason.
    """
    new_title = clean(check_title(title)) if title is not None else None
    new_content = clean(check_content(content)) if content is not None else None
    if new_title is None and new_content is None:
        raise ValidationError("content", "there is nothing to change", "Give --title, --content or --file.")

    def changed(node: Node) -> Node:
        return replace(
            node,
            title=node.title if new_title is None else new_title,
            content=node.content if new_content is None else new_content,
            modified=graph.stamp(),
        )

    return _reviewed(graph, id, "amended", reason, changed)


def restate(graph: Graph, id: str, status: str, reason: str) -> Node:
    """Set a decision's status, whatever it was: proposed makes its text editable again.

    Raises:
        ValidationError: the node is not a decision, is superseded, has no reason, or the status is unknown.
    """
    wanted = decision_status(status, "status")

    def changed(node: Node) -> Node:
        if node.type is not NodeType.DECISION:
            raise ValidationError("status", f"a {node.type.value} has no decision status", "Name a decision.")
        if DecisionStatus.SUPERSEDED in (wanted, node.decision_status):
            newer, current = do(Action.RELATE), do(Action.UNRELATE)
            step = Sentence(newer, " a newer node to it with supersedes, or ", current, " the current one.")
            raise ValidationError("status", "superseded is set by the relation of the newer node", step)
        return replace(status_transitions.standing(node, wanted), modified=graph.stamp())

    if not reason.strip():
        raise ValidationError("reason", "is missing", "Say why, with --reason: it is kept beside the text.")
    return _reviewed(graph, id, f"set to {wanted.value}", reason, changed)


def supersede(graph: Graph, id: str, newer: str, reason: str = "") -> Node:
    """Record that the node *newer* supersedes another. Raises as :func:`relate.relate`."""
    relate(graph, newer, id, "supersedes", reason or None, 0.95)
    return _reviewed(graph, id, "superseded", reason, lambda node: node, settles=False)


def skip(graph: Graph, id: str, reason: str = "") -> Node:
    """Record that a node was reviewed and left for later."""
    return _reviewed(graph, id, "left for later", reason, lambda node: node, settles=False)


def seal(graph: Graph) -> int:
    """Seal every accepted decision that has no seal yet, in its current state; return how many."""
    graph.refresh()
    decisions = graph.readable(graph.index.listed(Filter(type=NodeType.DECISION.value), -1, ""))
    unsealed = [node.id for node, _ in decisions if sealing.is_unsealed(node)]

    def act(draft: NodeDraft) -> None:
        for stored in map(draft.read, unsealed):
            draft.replace(stored, stored.entry)

    graph.change(act)
    return len(unsealed)


def name_successors(graph: Graph) -> int:
    """Add links to their successors to superseded nodes that lack them; return how many."""
    graph.refresh()
    pairs = [(edge.source, edge.target) for edge in graph.index.edges() if edge.type == RelationType.SUPERSEDES]
    own = {source.id for source in graph.index.by_ids([older for _, older in pairs]).values() if _is_ours(source)}
    pairs = [(newer, older) for newer, older in pairs if older in own]

    def act(draft: NodeDraft) -> int:
        return len({older for newer, older in pairs if supersession.name(draft, newer, older)})

    return graph.change(act) if pairs else 0


def _is_ours(source: Source) -> bool:
    """Whether a node's file is ours: a record of the project says in its own words what replaced it."""
    return source.path.startswith(NODES)


def _reviewed(
    graph: Graph, id: str, outcome: str, reason: str, change: Callable[[Node], Node], settles: bool = True
) -> Node:
    clean_reason = clean(check_text(" ".join(reason.split()), "reason", REASON))

    def act(draft: NodeDraft) -> Node:
        stored = draft.read(id)
        node = change(stored.entry)
        carried = sealing.carried(stored.entry, node)
        if stored.entry.record:
            amends = settles and bool(sealing.rewritten(stored.entry, node))
        else:
            amends = settles and sealing.is_frozen(stored.entry) and bool(sealing.changed(carried))
        if amends and not clean_reason:
            fits = "Say why, with --reason: it is kept beside the text."
            raise ValidationError("reason", "is missing, but an accepted text would change", fits)
        at = graph.stamp()
        entry = f"{at} {outcome}{': ' if clean_reason else ''}{clean_reason}"
        own = {**node.extra, REVIEWS: [*texts(node.extra.get(REVIEWS)), entry][-KEPT_REVIEWS:]}
        if not settles:
            return draft.replace(stored, replace(node, extra=own))
        status = NodeStatus.ACTIVE if node.status is NodeStatus.NEEDS_REVIEW else node.status
        node = pins.pin(replace(node, status=status, extra={**own, REVIEWED: at}), graph.files.content)
        return draft.replace(stored, node, amended=amends)

    return graph.change(act)


def _is_reviewed(node: Node) -> bool:
    return str(node.extra.get(REVIEWED) or "") >= node.modified
