"""Sentences that put something off: what remains to be done, in the languages in which agents are talked to most."""

from __future__ import annotations

import re

_LATER = re.compile(
    r"\b(?:todo|fixme|later(?: maybe| on)?|tomorrow|next (?:steps?|time|up|week|session)"
    r"|follow[- ]?ups?|remains?(?: to)?|still (?:to (?:do|be)|needs?|missing|open|have to)"
    r"|not (?:yet|done)|left to do|for another (?:day|time|session)"
    r"|spaeter|später|morgen|noch (?:nicht|offen|zu)|fehlt noch|bleibt noch|nächste[rns]? (?:schritte?|mal|woche)"
    r"|plus tard|demain|reste à|pas encore|prochaine (?:étape|fois|semaine)|à faire"
    r"|más tarde|mañana|todavía no|aún no|queda por|falta(?:n)? por|próximo paso|por hacer"
    r"|mais tarde|amanhã|ainda não|falta fazer|più tardi|domani|non ancora|resta da)\b"
    r"|(?:あとで|後で|まだ|残り|稍后|以后再|还没|尚未|待办)",
    re.IGNORECASE,
)


def is_open(sentence: str) -> bool:
    """Whether *sentence* says that something is put off or remains to be done."""
    return not sentence.endswith("?") and _LATER.search(sentence) is not None
