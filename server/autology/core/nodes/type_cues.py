"""Cues for a note's type: the form of its title, its sections and phrases, each with its weight."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from autology.model.node import NodeType

TITLE, HEADING, TEXT = "title", "heading", "text"
"""Where a cue is looked for: in the title, in the headings of sections, in the first words of the text."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern that indicates a type, with its weight in log odds."""

    type: NodeType
    weight: float
    pattern: re.Pattern[str]


@cache
def cues() -> Mapping[str, Sequence[Cue]]:
    """Return the cues by where they are looked for."""
    by_place: dict[str, list[Cue]] = {}
    with open(os.path.join(os.path.dirname(__file__), "type_cues.txt"), encoding="utf-8") as file:
        lines = [line for line in file.read().splitlines() if not line.startswith("# ")]
    for line in lines:
        if line.strip("[]") in (TITLE, HEADING, TEXT):
            place = by_place[line.strip("[]")] = []
            continue
        type, weight, pattern = line.split(" ", 2)
        place.append(Cue(NodeType(type), float(weight), re.compile(pattern, re.IGNORECASE | re.MULTILINE)))
    return by_place
