"""Numbers with their nouns: "1 file", "3 files"."""

from __future__ import annotations


def counted(count: int, noun: str, verb: str = "") -> str:
    """Return ``1 file``, ``2,000 files``; with the plural *verb*, ``are``, also ``1 file is``, ``2 files are``."""
    text = f"{count:,} {noun}" + ("" if count == 1 else "s")
    one = {"are": "is", "were": "was", "become": "becomes", "lack": "lacks", "lead": "leads"}
    return f"{text} {one[verb] if count == 1 else verb}" if verb else text
