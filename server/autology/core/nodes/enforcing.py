"""Notes that a user may enforce: what of them a hook recognises, and whether the text is still the chosen one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from autology.core.nodes.graph import Graph
from autology.core.nodes.node_codec import entry_of
from autology.model.errors import AutologyError, ValidationError
from autology.text.language import governing

IN_FORCE, SUSPENDED, ELSEWHERE = "in force", "suspended", "elsewhere"
"""States of a choice: it holds; the note's text changed, or it rules nothing out any more; another project's note."""
_NOT_RECOGNISED = (
    *(governing.FILE, governing.SCOPE, governing.SYMBOL, governing.RECORD, governing.WORDS, governing.TEXT),
)
"""Kinds of rules that an edit or a command alone does not contradict."""


@dataclass(frozen=True, slots=True)
class Enforceable:
    """A note that may be enforced: the hash of its *text*, and how many *rules* a hook recognises."""

    id: str
    title: str
    text: str
    rules: int


def enforceable(graph: Graph, id: str) -> Enforceable:
    """Return the note *id* as it may be enforced.

    Raises:
        ValidationError: a hook recognises nothing that goes against it.
    """
    node = graph.stored(graph.source(id)).entry
    rules = entry_of(node).rules
    text = next((term for kind, term, _ in rules if kind == governing.TEXT), "")
    recognised = sum(kind not in _NOT_RECOGNISED for kind, _, _ in rules)
    if not text or not recognised:
        nothing = "rules nothing out that a hook recognises"
        problem = nothing if text else "is neither an accepted decision nor a convention in force"
        step = "Say in the note what is ruled out, for example: never use `npm install`."
        raise ValidationError("id", f"'{node.title[:60]}' {problem}", step)
    return Enforceable(node.id, node.title, text, recognised)


def state(graph: Graph, id: str, choice: Mapping[str, str]) -> str:
    """Return the state of the user's *choice* for the note *id*, seen from this project."""
    try:
        graph.catch_up()
        source = graph.source(id)
    except AutologyError:
        return SUSPENDED if choice["project"] == graph.files.root else ELSEWHERE
    try:
        return IN_FORCE if enforceable(graph, source.id).text == choice["text"] else SUSPENDED
    except (AutologyError, FileNotFoundError):
        return SUSPENDED
