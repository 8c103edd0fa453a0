"""Other tools' names of relations, and which of ours each becomes in an import."""

from __future__ import annotations

import re
from collections.abc import Mapping

from autology.model.node import RelationType

OTHER_NAMES: Mapping[str, RelationType] = {
    **dict.fromkeys(("requires", "needs", "depends"), RelationType.DEPENDS_ON),
    **dict.fromkeys(("replaces", "obsoletes", "deprecates"), RelationType.SUPERSEDES),
    **dict.fromkeys(("impacts", "influences", "changes"), RelationType.AFFECTS),
    **dict.fromkeys(("calls", "includes", "imports"), RelationType.USES),
    **dict.fromkeys(("realizes", "realises", "satisfies"), RelationType.IMPLEMENTS),
    **dict.fromkeys(("based_on", "derives_from", "extracted_from", "originated_from"), RelationType.DERIVED_FROM),
}
"""Other tools' names for our relations; any other becomes relates_to, with the name as the description."""


def relation_of(word: str) -> tuple[RelationType, str | None]:
    """Return the relation that another tool's *word* stands for, and the word if ours does not express it."""
    plain = re.sub(r"[\s-]+", "_", word.strip().lower())
    try:
        return RelationType(plain), None
    except ValueError:
        return OTHER_NAMES.get(plain, RelationType.RELATES_TO), word.strip() or None
