"""How people choose in talk: what they offer, decide and dismiss, in four languages."""

from __future__ import annotations

import re

from autology.text.language.commitments import any_of, asks, is_once, is_unsure
from autology.text.wordlists import root

_OR = any_of("or", "oder", "ou")
_DISMISSES = any_of(
    "overkill", "not worth", "worth nothing", "don'?t need", "no need", "leave (?:it|that|the)", "wouldn'?t touch",
    "out of the question", "off the table", "scratch that", "ghastly", "ugly", "would have been", "exactly why not",
    "nah", "no thanks", "too (?:expensive|heavy|fat|much|big|slow|complicated)",
    "zu (?:teuer|fett|schwer|viel|groß|kompliziert)", "brauchen wir nicht", "nicht nötig", "lass(?:en wir)? (?:es|das)",
    "trop (?:cher|lourd|gros|compliqué)", "pas besoin", "demasiado \\w+", "no hace falta",
)  # fmt: skip
_PERSISTS = any_of(
    "still", "no luck", "same", "worse", "not it", "did it again", "immer noch", "schlimmer", "toujours", "pareil",
    "encore", "pire", "sigue", "peor", "todavía",
)  # fmt: skip
_EXCEPTS = any_of("exceptions?", "ausnahmen?", "excepci(?:ón|ones)")
_DECIDES = any_of(
    "then(?=(?:\\W+(?:yes|ok|please|pls|thanks))?\\W*\\Z)", "it is", "please", "pls", "let'?s", "go (?:for|with)",
    "we(?:'ll| will| shall)? (?:take|use|go|keep|stay)", "agreed", "dann\\W*\\Z", "bitte", "nehmen wir", "wir nehmen",
    "machen wir", "donc", "s'il (?:te|vous) plaît", "on prend", "entonces", "por favor", "vamos con",
)  # fmt: skip
_OFFERS = any_of(
    "i(?:'d| can| could| would)", "shall (?:i|we)", "should (?:i|we)", "want me to", "suggest", "recommend", "propose",
    "would do", "ich (?:kann|könnte|würde|schlage)", "soll (?:ich|wir)", "man könnte", "je (?:peux|pourrais|propose)",
    "puedo", "podría", "propongo",
)  # fmt: skip
_EXCLUDES = re.compile(
    r"\A\W*(?:(?:and|also|then|so|ok|please|but)\s+)*(?:no|kein\w*|pas de|ningún|ninguna?)\s+\w", re.IGNORECASE
)
_ITEM = re.compile(r"(?<!\w)[a-e1-5]\)\s")
_ITEMS = 3
"""Items from which a prompt lists matters instead of choosing."""
_DONE_ONCE = frozenset(
    map(
        root,
        (
            "recalculate recalcul recalcule rerun restart retry reload rebuild redeploy reindex show explain check look"
            " verify commit push send write draft tell read run test print list"
        ).split(),
    )
)
"""What is done whenever a user asks for it, and settles nothing."""


def may_choose(clause: str) -> bool:
    """Whether *clause* may settle something: it neither asks, doubts nor dismisses, nor is for once.

    What says that a fault is still there does not, nor does an exception, which belongs to what it excepts from.
    """
    if asks(clause) or is_once(clause) or is_unsure(clause):
        return False
    return not any(pattern.search(clause) for pattern in (_OR, _DISMISSES, _PERSISTS, _EXCEPTS))


def decides(sentence: str) -> bool:
    """Whether *sentence* has words of deciding, such as *let's* or *it is*."""
    return _DECIDES.search(sentence) is not None


def excludes(sentence: str) -> bool:
    """Whether *sentence* is of the form *no Docker*."""
    return _EXCLUDES.match(sentence) is not None


def offers(sentence: str) -> bool:
    """Whether *sentence* offers to do something."""
    return _OFFERS.search(sentence) is not None


def enumerates(text: str) -> bool:
    """Whether *text* lists matters: a), b), c)."""
    return len(_ITEM.findall(text)) >= _ITEMS


def is_done_once(words: frozenset[str]) -> bool:
    """Whether *words*, by their roots, only name what is done once and settles nothing."""
    return bool(words) and words <= _DONE_ONCE
