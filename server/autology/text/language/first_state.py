"""Whether a question asks for how something was at first, and not for what holds now."""

from __future__ import annotations

import re
from functools import cache

_HINTS = tuple(
    "origin,first,initial,start,begin,outset,day one,earliest,ursprünglich,anfang,anfänglich,erstmal,beim ersten,départ"
    ",début,principio,comienzo,inici,primera,inizi,prima volta,início,começo,primeira,最初,そもそも,もともと,最开始"
    ",一开始,起初,原先,原本,처음".split(",")
)
"""Parts of which a question that asks for the first state has one: the patterns take a millisecond to compile."""


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what asks for the first state, and what speaks of now."""
    matter = "(?:reason|idea|plan|choice|decision|argument|motivation|intention|rationale|setup|design|rule|limit)s?"
    at_first = re.compile(
        r"\b(?:originally|initially|at first|the first time|in the first place|day one|to (?:begin|start) with"
        r"|(?:from|in|at) the (?:very )?(?:start|beginning|outset)|(?:did|do|when|why|how) (?:we|you|i|they) first"
        rf"|(?:original|initial|earliest|first) {matter}"
        r"|ursprünglich\w*|anfangs|anfänglich\w*|(?:zu|am|ganz am) (?:anfang|beginn)|erstmals|beim ersten mal"
        r"|au (?:tout )?(?:départ|début)|initialement|à l'origine|d'origine|la première fois"
        r"|al (?:principio|comienzo|inicio)|en un (?:principio|inicio)|inicialmente|originalmente|la primera vez"
        r"|all'inizio|inizialmente|in origine|la prima volta|no (?:início|começo)|a primeira vez)\b"
        r"|最初|そもそも|もともと|最开始|一开始|起初|原先|原本|처음",
        re.IGNORECASE,
    )
    now = re.compile(
        r"\b(?:now|nowadays|currently|today|these days|by now|jetzt|inzwischen|heute|mittlerweile|maintenant"
        r"|aujourd'hui|désormais|ahora|actualmente|hoy|adesso|oggi|agora|hoje)\b|いま|今は|現在|现在|如今|지금",
        re.IGNORECASE,
    )
    return at_first, now


def asks_for_the_first_state(question: str) -> bool:
    """Whether *question* asks how something was at first: "why did we choose Kafka in the first place?"

    One that speaks of now too asks for what holds now: "it was an hour at first, what is it now?"
    """
    plain = question.replace("’", "'").lower()
    if not any(hint in plain for hint in _HINTS):
        return False
    at_first, now = _patterns()
    return at_first.search(plain) is not None and now.search(plain) is None
