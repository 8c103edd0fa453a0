"""What a prompt asks of the user's other projects: only where it names what they know and this one does not."""

from __future__ import annotations

from autology.ranking.prompt_similarity import RARE_WEIGHT, shared, weighted_terms
from autology.text.tokens import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from autology.core.lookup_ports import ChunkHit, ChunkLookup, Terms

_TERMS = 24
"""Maximum words looked up."""
_CANDIDATES = 12
"""Chunks compared with the prompt, those of this project among them."""
_SHARE, _NAMED_SHARE = 0.5, 0.3
"""The least share of the prompt's words that a chunk has; if its project is named, the name identifies the rest."""
_UNKNOWN_HERE = 2
"""The least number of rare words of a chunk that this project's past does not have, the project's name included
(bench/similar: with one, a word that is new here is taken for another project's)."""
_SHOWN = 2


def elsewhere(
    index: ChunkLookup, words: str, own: Sequence[str], session: str, recalled: Set[str], only_named: bool
) -> tuple[str, list[ChunkHit]]:
    """Return the name of the project that alone knows *words*, and its chunks, nearest first; none if none does.

    *own* are the identities of the project at hand; *session* and *recalled* are in the context already. With
    *only_named* the prompt has to name the project: how something is done in general is asked of none.
    """
    terms = query_terms(words)[:_TERMS]
    frequencies = index.often(terms)
    chunks = index.best(terms, _CANDIDATES, but=session, often=frequencies) if any(frequencies) else ()
    if not chunks or all(chunk.project in own for chunk in chunks):
        return "", []
    query = weighted_terms(terms, frequencies, index.size())
    matches = [(*shared(query, f"{chunk.question}\n{chunk.path}\n{chunk.text}"), chunk) for chunk in chunks]
    matches.sort(key=lambda match: (match[0], match[2].score), reverse=True)
    share, _, best = matches[0]
    if best.project in own:
        return "", []
    name = best.folder.replace("\\", "/").rstrip("/").rpartition("/")[2]
    named = [term for term in terms if name.lower() in term]
    if share < (_NAMED_SHARE if named else _SHARE) or (only_named and not named):
        return "", []
    if not named and not index.latest(1, own):
        return "", []  # to a project without a past everything is new
    if len(named) + _unknown_here(index, terms, frequencies, best, own, _UNKNOWN_HERE) < _UNKNOWN_HERE:
        return "", []
    of_project = {chunk.id: chunk for *_, chunk in matches if chunk.project == best.project}
    return name, [chunk for id, chunk in of_project.items() if id not in recalled][:_SHOWN]


def _unknown_here(
    index: ChunkLookup, terms: Terms, frequencies: Sequence[int], chunk: ChunkHit, own: Sequence[str], enough: int
) -> int:
    """Return how many rare ones of *terms* are in *chunk* and not in the *own* project's past, *enough* at most."""
    size, text, count = index.size(), f"{chunk.question}\n{chunk.path}\n{chunk.text}", 0
    for frequency, term in sorted(zip(frequencies, terms, strict=True)):
        weighted = weighted_terms([term], [frequency], size) if frequency else []
        if any(weight >= RARE_WEIGHT for _, weight in weighted) and shared(weighted, text)[0]:
            count += not index.best([term], 1, projects=own, often=[frequency])
            if count == enough:
                break
    return count
