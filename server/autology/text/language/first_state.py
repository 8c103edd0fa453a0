"""Whether a question asks for how something was at first, and not for what holds now."""

from __future__ import annotations

import re

_MATTER = (
    "reason|reasons|idea|plan|choice|decision|argument|motivation|intention|rationale|setup|design|approach|rule|limit"
)
_AT_FIRST = re.compile(
    r"\b(?:originally|initially|at first|the first time|in the first place|day one|to (?:begin|start) with"
    r"|(?:from|in|at) the (?:very )?(?:start|beginning|outset)|(?:did|do|when|why|how) (?:we|you|i|they) first"
    rf"|(?:original|initial|earliest|first) (?:{_MATTER})"
    r"|ursprünglich\w*|anfangs|anfänglich\w*|(?:zu|am|ganz am) (?:anfang|beginn)|erstmals|beim ersten mal"
    r"|au (?:tout )?(?:départ|début)|initialement|à l'origine|d'origine|la première fois"
    r"|al (?:principio|comienzo|inicio)|en un (?:principio|inicio)|inicialmente|originalmente|la primera vez"
    r"|all'inizio|inizialmente|in origine|la prima volta|no (?:início|começo)|a primeira vez)\b"
    r"|最初|そもそも|もともと|元々|最开始|一开始|起初|原先|原本|처음",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:now|nowadays|currently|today|these days|by now|jetzt|inzwischen|heute|mittlerweile|maintenant|aujourd'hui"
    r"|désormais|ahora|actualmente|hoy|adesso|oggi|agora|hoje)\b|いま|今は|現在|现在|如今|지금",
    re.IGNORECASE,
)


def asks_for_the_first_state(question: str) -> bool:
    """Whether *question* asks how something was at first: "why did we choose Kafka in the first place?"

    One that speaks of now too asks for what holds now: "it was an hour at first, what is it now?"
    """
    plain = question.replace("’", "'")
    return _AT_FIRST.search(plain) is not None and _NOW.search(plain) is None
