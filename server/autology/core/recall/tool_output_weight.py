"""The weight of a tool's output, and of mere questions, against talk that tells something."""

from __future__ import annotations

from autology.model.conversation import TOOL, USER, Chunk, ChunkKind
from autology.text.conversation.chunks import SIGNS
from autology.text.markdown.snippets import covering

OF_A_TOOL = 0.4
"""The weight of a tool's output against talk: a commit message follows the talk that decided it, in fewer words.

In bench/unified 0.4 to 0.85 are equal; with 1.0, 4 % fewer of the right sources come first. The lowest of these, so
that only talk which hardly answers ranks below a tool's line.
"""
NOTHING_OWN = 0.1
"""The factor for a tool's output without any word of the query, found semantically or by its question."""
ASKS, SAYS_LITTLE = 0.9, 40
"""The weight of talk that is a question with next to no answer, and its maximum characters (bench/unified: of the
questions that code answers two thirds have it first, half of them without this)."""
TERMS = 32
"""Maximum words of a query that are compared."""


def trusted(relevance: float, chunk: Chunk, query: str) -> float:
    """Return *relevance* weighted by the author of *chunk*, and for *query* by whether it has content of its own."""
    if chunk.trust != TOOL:
        return relevance * (ASKS if _only_asks(chunk) else 1.0)
    words, covered = covering(query, TERMS)
    # It is indexed with the question it followed, and may have no other word of it: `sleep 3` answers nothing.
    share = len(covered(chunk.text)) / words if words else 1.0
    return relevance * OF_A_TOOL * max(share, NOTHING_OWN)


def _only_asks(chunk: Chunk) -> bool:
    asks = chunk.kind == ChunkKind.CONVERSATION and bool(chunk.question) and chunk.text.startswith(SIGNS[USER])
    return asks and len(chunk.text) - len(chunk.question) < SAYS_LITTLE
