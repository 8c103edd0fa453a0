"""What a project's notes know of a prompt: those that answer it as well as past conversations do, with their text."""

from __future__ import annotations

from collections import namedtuple

from autology.ranking.prompt_similarity import StemFinder, shared, weighted_terms
from autology.ranking.recall_gate import Knowledge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from autology.core.lookup_ports import NodeRow
    from autology.core.prompt_recall import Subject

READ = 8_000
"""Characters of a note that are read."""

KnownNote = namedtuple("KnownNote", ("node", "text", "knowledge"))
"""A node's row, its text, and what it knows of a prompt, as a `Knowledge`."""


def known_notes(subject: Subject, nodes: Sequence[NodeRow], read: Callable[[str], str]) -> list[KnownNote]:
    """Return those of *nodes* that hold words of *subject*, the one that knows most first; *read* returns a file.

    A word that the conversations do not hold may be one of the notes'.
    """
    known = []
    for node in nodes:
        text = body(read(node[4]))
        knowledge = _knowledge(subject, f"{node[2]}\n{text}")
        if knowledge is not None:
            known.append(KnownNote(node, text, knowledge))
    return sorted(known, key=lambda note: -note.knowledge.weight)


def body(text: str) -> str:
    """Return the *text* of a note's file without its front matter and its title."""
    if text.startswith("---\n"):
        text = text.partition("\n---\n")[2]
    first, _, rest = text.strip().partition("\n")
    return rest.strip() if first.startswith("# ") else text.strip()


def _knowledge(subject: Subject, text: str) -> Knowledge | None:
    query = dict(weighted_terms(subject.terms, subject.frequencies, subject.size))
    unknown = 0
    for word, rights in subject.unheld.items():
        ((own, weight),) = weighted_terms([(word,)], [0], subject.size) or [("", 0.0)]
        if own and StemFinder([own]).first(text):
            for right, _ in weighted_terms([rights], [0], subject.size) if rights else ():
                query.pop(right, None)
            query[own] = weight
        else:
            unknown += not rights
    if not query:
        return None
    share, rare = shared(list(query.items()), text)
    return Knowledge(share * sum(query.values()), share, rare, unknown) if share else None
