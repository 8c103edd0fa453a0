"""Texts drawn from a grammar: a noun, what leads from it to a value, a layout; the noun says if it is a secret."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from bench.scorer.slots import DIGITS, MAKERS, UPPER, WORDS, filled, ident, letters

PARTS: dict[str, list[str]] = json.loads((Path(__file__).parent / "grammar.json").read_text(encoding="utf-8"))
"""The nouns of passwords, keys, codes and ordinary things, and what stands around them."""
CLOSING = {'"': '"', "'": "'", "`": "`", "(": ")", "*": "**"}


def _ordinary(rng: Random, names: Sequence[str]) -> str:
    if names and rng.random() < 0.5:
        return rng.choice(names)
    kinds = (
        "ticket sha short hex32 sha256 uuid ver file host n n n4 n5 serial serial phone date k8s ident camel model ip"
    )
    kind = rng.choice([*kinds.split(), "fp", "b64", "code", "year", "name"])
    if kind == "code":
        return letters(rng, rng.choice((6, 8, 10)), UPPER + DIGITS)
    if kind == "year":
        return str(rng.randrange(1990, 2031))
    if kind == "name":
        name = rng.choice((ident(rng), rng.choice(WORDS))).replace("_", rng.choice("_-"))
        return rng.choice((f"{name}-v2", f"{name}-2024", name.upper() + "64", name.title() + "2", f"{name}_1"))
    return MAKERS[kind](rng)


def _value(kind: str) -> Callable[[Random], str]:
    return lambda rng: MAKERS[rng.choice(kind.split())](rng)


GIVING = (
    (PARTS["passwords"], _value("P P P P P P L PHR")),
    (PARTS["keys"], _value("T T T H B P")),
    (PARTS["codes"], _value("PIN PIN PIN PIN PIN GRP")),
)

NOUNS = (*PARTS["passwords"], *PARTS["keys"], *PARTS["codes"])


def drawn(rng: Random, names: Sequence[str] = ()) -> tuple[str, list[str], str]:
    """Return a text, the secrets in it, and the noun by which it is held out; *names* are words that are none."""
    secret = rng.random() < 0.5
    if secret:
        nouns, value = rng.choice((GIVING[0], GIVING[0], GIVING[1], GIVING[2]))
        noun, drawn_value = rng.choice(nouns), value(rng)
    else:
        noun, drawn_value = rng.choice(PARTS["ordinary"]), _ordinary(rng, names)
    lead = rng.choice(PARTS["leads"])
    text = filled(rng.choice(PARTS["leading"]), rng)[0] + noun + lead + drawn_value
    text += CLOSING.get(lead[-1:], "") + filled(rng.choice(PARTS["follows"]), rng)[0]
    secrets = [drawn_value] if secret else []
    if not secret or rng.random() < 0.3:
        near = rng.choice(
            (*PARTS["talk"], rng.choice(PARTS["ordinary"]) + rng.choice(PARTS["leads"][:8]) + _ordinary(rng, names))
        )
        joint = rng.choice((", ", ". ", "\n", "\n", "; ", " - "))
        text = near + joint + text if rng.random() < 0.5 else text + joint + near
    return text, secrets, noun


def beside(line: str, rng: Random) -> str:
    """Return a *line* of real text beside one that speaks of secrets and gives none away."""
    talk = filled(rng.choice(PARTS["leading"]), rng)[0] + rng.choice((*PARTS["talk"], rng.choice(NOUNS)))
    joint = rng.choice((", ", ". ", "\n", "\n", "; ", " - ", ": ", " "))
    return line + joint + talk if rng.random() < 0.4 else talk + joint + line
