"""The labels under which records state things, in nine languages: one name for each thing."""

from __future__ import annotations

import os
import re
from functools import lru_cache


def _labels() -> dict[str, list[str]]:
    """Return the labels in field_labels.txt, by the name of what they stand for."""
    with open(os.path.join(os.path.dirname(__file__), "field_labels.txt"), encoding="utf-8") as file:
        lines = [line for line in file.read().replace("\n  ", " ").splitlines() if line[0] != "#"]
    return {name: words.split(", ") for name, words in (line.split(": ", 1) for line in lines)}


_LABELS = _labels()
_KEYS = {label: name for name, labels in _LABELS.items() for label in labels}
_MARKS = re.compile(r"[*_`\"'<>\[\]]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_GAPS = re.compile(r"[\s_/-]+")
_PLURAL = re.compile(r"\((?:s|es)\)")

DATES = ("date", "decided", "updated")
"""Keys of a date, the best first: when a record was made, decided, changed."""
EVIDENCE = frozenset(_LABELS) - {"title", "name", "details", "updated", "type", "history"}
"""Keys that documents other than records rarely have together."""
RELATIONS = ("supersedes", "superseded_by", "depends_on", "relates_to")


def normal(label: str) -> str:
    """Return a *label* in lower case, words joined by blanks, no mark-up: ``supersededBy`` as ``superseded by``."""
    plain = _PLURAL.sub("", _MARKS.sub(" ", label))
    return _GAPS.sub(" ", _CAMEL.sub(" ", plain)).strip(" :.：").lower()


@lru_cache(maxsize=8_192)
def key_of(label: str) -> str:
    """Return the name of what *label* stands for, as ``status``; "" if unknown."""
    return _KEYS.get(normal(label), "")


def is_known(label: str) -> bool:
    """Whether *label* is one under which records state things."""
    return bool(key_of(label))
