"""What the hooks before edits and commands answer: a warning, a quiet line, or the permission that the user chose."""

from __future__ import annotations

import os
from collections import namedtuple

from autology import places
from autology.text.sanitising import clean_line, fenced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from autology.core.lookup_ports import NodeLookup
    from autology.hooks.project import HookProject

    Answer = tuple[str, str] | tuple[str, str, str]
    """A text for the model and a message for the user; with a permission decision, the reason for it and a message."""

MAX_MATCHES = 3
"""Nodes considered per edit or command: the first not yet mentioned in this session is shown."""

_ONLY_NAMED = ("symbol", "file", "scope", "record")
"""Rules that an ordinary edit may touch: never a reason to refuse one."""

Governing = namedtuple("Governing", ("kind", "term", "detail", "id", "type", "title", "trust"))
"""A node that governs an edit or a command, and the rule that matched."""


def details(row: Governing) -> tuple[str, str, str]:
    """Return a rule's text as written, the places where it holds, and the sentence that it is from."""
    text, _, rest = row.detail.partition("\t")
    places, _, reason = rest.partition("\t")
    return text, places, reason


def warning(
    matches: Sequence[Governing], project: HookProject, index: NodeLookup, subject: str, action: str
) -> Answer | None:
    """Return the answer to an edit or command, *action*, that may contradict *matches*; None if all were named before.

    *index* is still open. A node that the user enforces is answered with the user's decision, each time.
    """
    if os.path.exists(places.enforced_notes()) and (answer := _enforced(matches, index, subject)):
        return answer
    from autology.hooks import session_state

    for node in matches[:MAX_MATCHES]:
        if session_state.first(project, action, f"{project.session}-{node.id}"):
            drifted = {**index.drifted(), **index.changed()}.get(node.id, "")
            return _warning(node, subject, drifted, action)
    return None


def _enforced(matches: Sequence[Governing], index: NodeLookup, subject: str) -> Answer | None:
    """Return the strictest decision of the user on *matches*, with the reason."""
    from autology.enforcement import decision, load

    enforced = load()
    chosen: dict[str, Governing] = {}
    for node in matches:
        if node.kind not in _ONLY_NAMED and node.id in enforced:
            texts = [term for kind, term, _ in index.governed(node.id) if kind == "text"]
            chosen.setdefault(decision(enforced, node.id, texts), node)
    for answer, does in (("deny", "refuse"), ("ask", "be asked before")):
        if answer in chosen:
            line = f"{summary(chosen[answer], subject)}{_quoted_sentence(chosen[answer])}"
            fence = fenced("the knowledge of this project", [line])
            return f"The user chose to {does} what goes against this note (`autology enforce`):\n{fence}", "", answer
    return None


def named(node: Governing, subject: str) -> Answer:
    """Return the quiet line about a node that governs the file *subject*."""
    line = fenced("the knowledge of this project", [f"{_node(node)} governs {subject}"])
    return f"For your information:\n{line}", ""


def summary(node: Governing, subject: str) -> str:
    """Return what the rule of *node* says about *subject*, in one line."""
    term = clean_line(details(node)[0] or node.term, 60)
    value = term.replace("=", " = ", 1)
    reason = {
        "scope": f"governs {subject if node.term == subject else term}",
        "file": f"governs {subject if node.term == subject else term}",
        "symbol": f"decides on {term}",
        "record": "is recorded in this file; it is accepted, so its text must not change",
        "untouched": f"says that {term} is not edited by hand",
        "value": f"sets {value}",
        "command": f"ruled out {clean_line(f'{node.term} {details(node)[0]}'.strip(), 60)}",
    }.get(node.kind, f"ruled out {term}")
    return f"{_node(node)} {reason}"


def _node(node: Governing) -> str:
    from autology.hooks.messages import SHORT_ID

    kind = "convention" if node.type == "convention" else "accepted decision"
    # Not scanned for secrets: the index contains none.
    return f'{kind} {clean_line(node.id, 40)[:SHORT_ID]} "{clean_line(node.title, 90)}"'


def _quoted_sentence(node: Governing) -> str:
    """Return the rule's own sentence, for the reader to judge by."""
    reason = clean_line(details(node)[2], 160)
    return f": {reason}" if reason and reason.rstrip(".") != node.title else ""


def _warning(node: Governing, subject: str, drifted: str, action: str) -> Answer:
    from autology.hooks.messages import SHORT_ID

    line = summary(node, subject) + (" (noted reason the assistant)" if node.trust == "assistant" else "")
    line += f"; it needs review: {clean_line(drifted, 200)}" if drifted else ""
    text = (
        f"This {action} may contradict something settled:\n"
        f"{fenced('the knowledge of this project', [f'{line}{_quoted_sentence(node)}'])}\n"
        f'autology_query {{"query": "{clean_line(node.id, 40)[:SHORT_ID]}"}} shows why.'
        " Keep to it, or propose to supersede it; this is shown once."
    )
    return text, f"Autology: {line}."
