"""How people choose in talk: what they offer, decide and dismiss, in four languages."""

from __future__ import annotations

import re
from functools import lru_cache

from autology.text.language.commitments import any_of, asks, is_once, is_told, is_unsure
from autology.text.wordlists import root

_OR = any_of("or", "oder", "ou", "vs\\.?", "versus", "pros")
_DISMISSES = any_of(
    "overkill", "not worth", "worth nothing", "don'?t need", "no need", "leave (?:it|that|the)", "wouldn'?t touch",
    "out of the question", "off the table", "scratch that", "ghastly", "ugly", "would have been", "exactly why not",
    "nah", "no thanks", "too (?:expensive|heavy|fat|much|big|slow|complicated)",
    "zu (?:teuer|fett|schwer|viel|groß|kompliziert)", "brauchen wir nicht", "nicht nötig", "lass(?:en wir)? (?:es|das)",
    "trop (?:cher|lourd|gros|compliqué)", "pas besoin", "demasiado \\w+", "no hace falta",
    "(?:don'?t|do not|didn'?t|never) (?:like|trust|fancy|care)", "rather not", "not keen", "not (?:sold|convinced)",
    "live without", "do without", "unnecessary", "not (?:needed|necessary|now|yet)", "pointless", "don'?t bother",
    "i hate", "on the (?:list|backlog|todo)", "lieber nicht", "gefällt (?:mir|uns) nicht",
    "überzeugt (?:mich|uns) nicht", "unnötig", "mag ich nicht", "ne (?:me|nous) (?:pla[iî]\\w*|convainc\\w*)",
    "plutôt pas", "pas maintenant", "inutile",
    "no (?:me|nos) (?:convence|gusta)", "mejor no", "ahora no", "innecesari[oa]",
    "(?:as|how) (?:it|they|that) (?:is|are|was|were)(?: before)?", "as before", "wie (?:es|sie) (?:ist|war|waren?)",
    "wie (?:vorher|bisher)", "comme avant", "como (?:antes|estaba)",
    "over my dead body", "anything but", "hard pass", "skip(?:ping)?", "(?:can|must|has to) wait",
    "(?:isn'?t|aren'?t|not|never) (?:happening|doing|going to)", "is a no", "no way", "feels? (?:wrong|off|odd)",
    "in mind", "plan b", "(?:an|as) (?:option|alternative|fallback)", "second choice",
    "what (?:everyone|others|people)",
    "auf keinen fall", "(?:ist|bleibt) (?:raus|draußen)", "später", "jamais de la vie", "surtout pas", "plus tard",
    "ni hablar", "más (?:tarde|adelante)", "de ninguna manera",
)  # fmt: skip
_PERSISTS = any_of(
    "still", "no luck", "same", "worse", "not it", "did it again", "immer noch", "schlimmer", "toujours", "pareil",
    "encore", "pire", "sigue", "peor", "todavía",
)  # fmt: skip
_ASKS_WITHIN = re.compile(
    r"[:,;]\s+(?:what|which|why|how|where|who|when|was|warum|wie|wo|quoi|pourquoi|comment|qué|cómo)"
    r"(?:'s|'re| (?:is|are|was|were|do|does|did|ist|sind|est|sont|es|son))(?!\w)",
    re.IGNORECASE,
)
_ACKNOWLEDGES = re.compile(
    r"(?:\A|,)\W*(?:(?:ah|oh|ok) )?(?:i see|i (?:know|knew|thought)(?: so| it| that)?|aha|interesting|good to know"
    r"|verstehe|je vois|ya veo)\W*(?:\Z|,)",
    re.IGNORECASE,
)
_PRAISES = re.compile(
    r",\s*(?:very |so |how )?(?:fine|nice|good|clever|great|cool|neat|smart|lovely|gut|schön|klasse|super|bien|bueno)"
    r"\W*\Z",
    re.IGNORECASE,
)
_IS_BACK = any_of("(?:is|are) back", "(?:ist|sind) wieder da", "(?:est|sont) de retour", "ha vuelto")
_EXCEPTS = any_of("exceptions?", "ausnahmen?", "excepci(?:ón|ones)")
_REPORTS = any_of(
    "(?:has|have|\\w+'ve) (?:\\w+ly |now |just |already |never |not )?(?:been|done|made|got|built|come|gone|had|seen"
    "|put|set|sent|found|lost|\\w{3,}(?:ed|en))", "had(?! to)", "was", "were", "came", "went", "happened", "complained",
    "(?:i|we|you|they|he|she|it|who) (?:got|said|did|wrote|told|saw|found|lost|sent|asked|asks|called)", "yesterday",
    "last (?:night|week|month|year|\\w+day)", "hat(?:te)?", "hatten", "war", "waren", "wurden?", "gestern", "j'ai",
    "avait", "avaient", "était", "étaient", "hier", "ha", "han", "había\\w*", "fue", "fueron", "era", "ayer",
)  # fmt: skip
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
_OFFERS_AN_ERRAND = any_of(
    "(?:i(?:'d| can| could| would)|shall (?:i|we)|should (?:i|we)|want me to) (?:\\w+ ){,2}?(?:delete|clean|re-?run|run"
    "|restart|re?deploy|check|look|show|explain|measure|benchmark|profile|send|merge|push|commit|investigate|debug"
    "|reproduce)",
    "(?:ich (?:kann|könnte|würde)|soll ich) (?:\\w+ )*(?:löschen|aufräumen|prüfen|nachsehen|zeigen|messen|schicken)",
    "je (?:peux|pourrais) (?:supprimer|vérifier|regarder|montrer|mesurer|envoyer)",
    "(?:puedo|podría) (?:borrar|comprobar|mirar|mostrar|medir|enviar)",
)  # fmt: skip
_EXCLUDES = re.compile(
    r"\A\W*(?:(?:and|also|then|so|ok|please|but)\s+)*(?:no|kein\w*|pas de|ningún|ninguna?)\s+\w", re.IGNORECASE
)
_ITEM = re.compile(r"(?<!\w)[a-e1-5]\)\s")
STORY, LONG_STORY = 6, 21
"""Words from which a sentence tells a story: one in the past, and any. The longest of a right choice has 20."""
_SENTENCES = 1_000
"""Sentences of which the answer is remembered: each is asked about three times while a project is mined."""
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


_POLITE = (
    r"\A\W*(?:(?:ok(?:ay)?|yes|yeah|sure|good|fine|and|then|now|so|please|pls|just|ja|gut|bitte|dann|oui|bien|puis|sí"
    r"|vale|luego)\W+)*"
)
_ERRAND = re.compile(
    rf"{_POLITE}(?:(?:fix|benchmark|compare|measure|tell me|let me|you (?:decide|choose|pick)|rename"
    r"|open (?:an?|the) (?:pull request|pr|issue|ticket|mr)|install|regenerate|rebase|merge"
    r"|cherry-?pick|redeploy|re-?run|retry|bump|summari[sz]e|explain|try"
    r"|delete the (?:merged|stale|old|temporary)|zeig\w*|installier\w*|mach weiter|erklär\w*|montre|relance|installe"
    r"|corrige|explique|muestra|ejecuta|instala|explica)(?!\w)"
    r"|(?:help|hilfe|au secours|à l'aide|ayuda|socorro)\s*(?:[,!.:]|\Z)"
    r"|(?:check|correct|close|push|commit|deploy|run|restart|reload|rebuild|update|show|print|list|comment|read|test|verify"
    r"|format|tidy|clean|finish|send|mail|tag|release|starte?|prüf\w*|vérifie|comprueba|revisa)"
    r" (?:the|a|an|it|that|this|them|those|these|me|die|das|den|le|la|les|el|los|las)(?!\w)"
    r"(?!.*(?<!\w)(?:in|on|from|by|with|without|every|each|per|nightly|daily|weekly|at|when|whenever|if|after|before|as"
    r"|only|instead|mit|bei|jede\w*|wenn|vor|nach|avec|chaque|quand|con|cada|cuando)(?!\w)))",
    re.IGNORECASE | re.DOTALL,
)
"""How a prompt begins that asks for something to be done now, and settles nothing."""


@lru_cache(maxsize=_SENTENCES)
def may_choose(clause: str) -> bool:
    """Whether *clause* may settle something: it neither asks, doubts nor dismisses, nor is for once.

    What says that a fault is still there, or that something is back, does not, nor does what takes note of an answer,
    an exception, which belongs to what it excepts from, nor what other people say.
    """
    if asks(clause) or is_once(clause) or is_unsure(clause) or is_told(clause) or _ERRAND.match(clause):
        return False
    patterns = (_OR, _DISMISSES, _PERSISTS, _EXCEPTS, _ASKS_WITHIN, _ACKNOWLEDGES, _IS_BACK)
    return not any(pattern.search(clause) for pattern in patterns)


def decides(sentence: str) -> bool:
    """Whether *sentence* has words of deciding, such as *let's* or *it is*."""
    return _DECIDES.search(sentence) is not None


def reports(sentence: str, longest: int = LONG_STORY) -> bool:
    """Whether *sentence* tells what happens, in more words than a choice has, and decides nothing.

    From *longest* words on it tells in whatever words.
    """
    words = len(sentence.split())
    is_story = words >= longest or (words >= STORY and _REPORTS.search(sentence) is not None)
    return is_story and not decides(sentence)


def excludes(sentence: str) -> bool:
    """Whether *sentence* is of the form *no Docker*."""
    return _EXCLUDES.match(sentence) is not None


def offers(sentence: str) -> bool:
    """Whether *sentence* offers to do something."""
    return _OFFERS.search(sentence) is not None


def praises(sentence: str) -> bool:
    """Whether *sentence* ends in praise of what it names: `an advisory lock, clever`."""
    return _PRAISES.search(sentence) is not None


def leaves_a_choice(answer: str) -> bool:
    """Whether *answer* offers to do something, or names alternatives."""
    return offers(answer) or _OR.search(answer) is not None


def offers_an_errand(sentence: str) -> bool:
    """Whether *sentence* offers to do something that is done once, and settles nothing."""
    return _OFFERS_AN_ERRAND.search(sentence) is not None


def enumerates(text: str) -> bool:
    """Whether *text* lists matters: a), b), c)."""
    return len(_ITEM.findall(text)) >= _ITEMS


def is_done_once(words: frozenset[str]) -> bool:
    """Whether *words*, by their roots, only name what is done once and settles nothing."""
    return bool(words) and words <= _DONE_ONCE
