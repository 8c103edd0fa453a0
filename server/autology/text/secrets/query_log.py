"""Queries as logs keep them: without secrets, and without words that may be one."""

from __future__ import annotations

from autology.text.redaction import redact

KIND = "word"
_EDGES = "\"'`()[]{}<>,;:?。，"


def logged(question: str) -> str:
    """Return *question* redacted, and without every word that looks random or like a strong password."""
    from autology.text.secrets.value_tests import random, sure, uuid

    text = redact(question)[0]
    words = text.split(" ")
    for at, word in enumerate(words):
        bare = word.strip(_EDGES)
        if len(bare) >= 8 and "[redacted:" not in word and not uuid(bare) and (random(bare, 12) or sure(bare)):
            words[at] = word.replace(bare, f"[redacted:{KIND}]")
    return " ".join(words)
