"""Prompt similarity: the lexical overlap of a prompt with earlier conversations, and the thresholds for a hint."""

from __future__ import annotations

import re
from math import log

from autology.text.tokens import STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    # A query term's stem and its weight: the rarer, the higher.
    WeightedTerm = tuple[str, float]
    StemPosition = tuple[int, str]
    """The place of a word, and its stem."""

ERROR, HOW_TO, FEATURE, PROBLEM, FILES = "error", "how-to", "feature", "problem", "files"
"""The classes of a prompt: an error, a how-to question, a new feature, any other task; or, regardless of these,
a prompt that names files worked on before."""


class RareTermThreshold:
    """The threshold for a chunk: the weighted *share* of the query's terms in it, and *rare_terms* rare ones.

    Together these weigh at least *weight*. Alternatively at least *many_rare_terms* rare terms, whatever the share.
    """

    __slots__ = ("many_rare_terms", "rare_terms", "share", "weight")

    def __init__(self, share: float, rare_terms: int, many_rare_terms: int, weight: float = 0.0) -> None:
        self.share = share
        self.rare_terms = rare_terms
        self.many_rare_terms = many_rare_terms
        self.weight = weight


RELEVANT = RareTermThreshold(0.45, 0, 5)
"""For prompts that ask about the past: a question contains more words than the answer repeats."""
NEAR = {
    ERROR: RareTermThreshold(0.42, 3, 99),
    HOW_TO: RareTermThreshold(0.55, 3, 99, 2.25),
    FEATURE: RareTermThreshold(0.55, 3, 99, 2.25),
    PROBLEM: RareTermThreshold(0.5, 3, 99, 2.25),
}
"""For prompts that merely resemble a conversation (bench/moment): two shared words are a coincidence, and so are three
that weigh little. What is close to past work has 2.28 and more there; orders of other work on a known subject, in
prompts4 and prompts5, have 1.86 to 2.31."""
SAME_FILES = RareTermThreshold(0.3, 2, 99)
"""For prompts that name a file which a chunk's exchange touched: the file alone says nothing about the reason."""
WINDOW = 80
"""The window, in words, in which terms must co-occur: a whole chunk, some 300, contains any few words by chance."""
RARE_WEIGHT = 0.4
"""The weight from which a term is rare: it occurs in at most 6 % of 1,000 chunks, in 1 % of 100,000."""
COMMON_FACTOR = 0.3
"""The factor for words that occur in most tasks: in a young project's index they are still rare."""

YOUNG = 300
"""The minimum number of chunks for meaningful document frequencies."""

_COMMON_WORDS = frozenset(
    "add adds added make makes made fix fixes fixed change changed create new page file files test tests run"
    " runs running code function error errors fail fails failed app api user users data set get use used work"
    " works show shows list build built update server client project package folder name type value line button"
    " field table column row when after before from with without one two three time times name names way best"
    " please let allow support need needs want every all each get gets says said because same other again still"
    " wrong right job comes come goes go on off minute minutes second seconds day days night".split()
)
_NEW = frozenset(
    "add implement create build support introduce put let set write make send enable provide need want".split()
)
_OF_FORM = frozenset(
    "rename move sort format reformat wrap split merge join delete remove translate convert inline extract print count"
    " reorder indent lint".split()
)
_EXPLAINS = frozenset("explain what which where who when does".split())
_REQUESTS = tuple(
    "can you/could you/would you/will you/can we/could we"
    "/kannst du/könntest du/würdest du/hilfst du/hilf mir/können sie/könnten sie/können wir/könnten wir"
    "/peux-tu/peux tu/pourrais-tu/tu peux/tu pourrais/pouvez-vous/pourriez-vous/peut-on/pourrait-on/aide-moi/m'aide"
    "/puedes/podrías/podrias/¿podemos/¿podríamos/me ayuda/ayúdame/ayudame"
    "/帮我/帮忙/请帮/请把/请你/能不能把/可以把/修一下/改一下"
    "/してくれ/してもらえ/していただけ/してください/して下さい".split("/")
)
"""What makes a question an order, in the languages whose questions are known."""
_ORDERS = frozenset(
    "fix repair change update adapt correct replace refactor investigate debug"
    " repariere behebe korrigiere ändere ersetze corrige corrigez répare réparez arregla repara cambia".split()
)
"""Words that begin an order, beside those of what is new or of form."""
_PLEASE = frozenset("please pls bitte".split())
_TELLS = frozenset("tell say explain remind show sag sage erkläre".split())
"""Words of an order to say something: a question in another form."""
_TROUBLE = (
    *" hang/ fail/ crash/ broke/ slow/ error/ wrong/ stuck/ times out/ timed out/ doesn't/ does not/ won't/ can't"
    "/ cannot/ no longer/ not work/ leak/ missing/ dies/ stops/ lost/ loses".split("/"),
    *" hängt/ fehl/ stürzt/ kaputt/ langsam/ nicht mehr/ geht nicht/ funktioniert nicht/ bricht".split("/"),
    *" plante/ échoue/ erreur/ ne marche/ ne fonctionne/ bloqu/ falla/ no funciona/ no va/ se cuelga/ roto".split("/"),
    *"失败/报错/错误/卡住/卡死/崩溃/不能/没反应/很慢/超时/エラー/失敗/落ち/止ま/遅い/動かな/できな/固ま".split("/"),
)
"""What a report of a problem contains."""
_WHYS = frozenset(
    "why/how come/any idea/any ideas/any idea why/any clue/do you know why/what's wrong/what is wrong"
    "/warum/wieso/weshalb/woran liegt das/pourquoi/une idée/por qué/por que/alguna idea"
    "/为什么/为啥/怎么回事/什么原因/なぜ/なぜですか/なぜでしょう/なぜでしょうか/どうして/どうしてですか".split("/")
)
"""Questions for the cause of what was said before them."""
_BRIEF_WHY = 4
"""The most words of a question for the cause that begins with `why`: `why is that`."""
_QUESTION_MARKS = ("?", "？")
_CLOSING = " \n)）\"'*_!！"
"""What may stand after a question mark."""
_CLAUSE_ENDS = str.maketrans(dict.fromkeys(".;:!?\n，。；：！？", ","))
_AS_IT_IS = frozenset("does is are come did".split())
"""Words after `how` that ask for something as it is, and not how to do it."""
_WORD = re.compile(r"[^\W_]+")  # as the index tokenises, without detecting scripts
_ASCII_WORDS = "".join(letter if letter.isalnum() else " " for letter in map(chr, range(128)))
"""Translates all but letters and digits to spaces."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_KEPT = 2
"""Letters from the start that a word shares with its stem; longer stems differ from it in their last letter at most."""


def kind(person_words: str, errors: Sequence[str]) -> str:
    """Classify a prompt by *person_words*, the person's words in it, and its lines that name *errors*."""
    start = person_words.lower()[:60].split()[:4]
    if start[:1] in (["how"], ["hows"], ["howto"]) or start[:2] in (
        ["what's", "the"],
        ["whats", "the"],
        ["best", "way"],
    ):
        return HOW_TO
    new = not _NEW.isdisjoint(start)
    if errors and not (new and all(_is_sentence(line) for line in errors)):
        return ERROR
    return FEATURE if new else PROBLEM


def asks_for_knowledge(person_words: str) -> bool:
    """Whether *person_words* only ask what something is or how it works: similar work does not answer that.

    A question at their end counts as one of these, unless they order something, or report a problem and ask why.
    """
    lower = person_words.lower()
    question = " ".join(word for word in lower.split() if "://" not in word).rstrip(_CLOSING)
    if question.endswith(_QUESTION_MARKS):
        if _reports_a_problem(question):
            return False
        if kind(lower, ()) == PROBLEM and not _is_order(question):
            return True
    start = person_words.lower()[:40].replace("'", " ").split()[:2]
    return not _EXPLAINS.isdisjoint(start[:1]) or (start[:1] == ["how"] and not _AS_IT_IS.isdisjoint(start[1:]))


def _is_order(lower: str) -> bool:
    """Whether *lower* begins with an order or requests something."""
    start = lower[:60].replace(",", " ").split()[:2]
    is_polite = not _PLEASE.isdisjoint(start[:1])
    first = start[is_polite:][:1]
    if not _TELLS.isdisjoint(first):
        return False
    orders = not (_ORDERS | _OF_FORM).isdisjoint(first)
    return is_polite or orders or any(request in lower for request in _REQUESTS)


def _reports_a_problem(question: str) -> bool:
    """Whether the last clause of *question*, in lower case, only asks for the cause of a problem reported before."""
    reported, _, last = question.rstrip("".join(_QUESTION_MARKS) + " ").translate(_CLAUSE_ENDS).rpartition(",")
    reason = last.strip(" ¿")
    is_why = reason in _WHYS or (reason.startswith("why ") and len(reason.split()) <= _BRIEF_WHY)
    return is_why and any(trouble in f" {reported}" for trouble in _TROUBLE)


def is_of_form(person_words: str) -> bool:
    """Whether *person_words* only ask for a change of form, for which a file's history is irrelevant."""
    return not _OF_FORM.isdisjoint(person_words.lower()[:40].split()[:1])


def _is_sentence(line: str) -> bool:
    """Whether an apparent error line may be a sentence: `failed webhooks three times: at once, ...`."""
    return line.partition(" ")[0] in ("failed", "refused", "denied", "blocked")


def weighted_terms(terms: Sequence[tuple[str, ...]], often: Sequence[int], size: int) -> list[WeightedTerm]:
    """Return the stems of *terms* weighted up to 1 for the rarest; *often* counts each among *size* chunks."""
    from autology.text.stemmer import stem  # a lookup has loaded it

    size = max(size, YOUNG)
    scale = log(size + 2)
    weights: dict[str, float] = {}
    for term, frequency in zip(terms, often, strict=True):
        for token in term if len(term) == 1 else term[:-1]:
            if token in STOP_WORDS or (len(token) < 2 and token.isascii()):
                continue
            weight = log((size + 2) / (frequency + 1)) / scale
            root = stem(token)
            weights[root] = max(weights.get(root, 0.0), weight * (COMMON_FACTOR if token in _COMMON_WORDS else 1.0))
    return list(weights.items())


def match_share(threshold: RareTermThreshold, query: Sequence[WeightedTerm], text: str) -> float:
    """Return the share of *query* that *text* contains, or 0 if it is below the *threshold*."""
    share, rare_count = shared(query, text)
    heavy = share * sum(weight for _, weight in query) >= threshold.weight
    enough = share >= threshold.share and rare_count >= threshold.rare_terms and heavy
    return share if enough or rare_count >= threshold.many_rare_terms else 0.0


def shared(query: Sequence[WeightedTerm], text: str) -> tuple[float, int]:
    """Return the best weighted share (0-1) of *query* within a window of *text*, and its number of rare terms."""
    total = sum(weight for _, weight in query)
    weights = dict(query)
    positions = list(StemFinder(weights).positions(text))
    best = (0.0, 0)
    for first, (at, _) in enumerate(positions):
        window_stems = {stem for later, stem in positions[first : first + WINDOW] if later < at + WINDOW}
        rare_count = sum(weights[stem] >= RARE_WEIGHT for stem in window_stems)
        best = max(best, (sum(weights[stem] for stem in window_stems) / total, rare_count))
    return best


class StemFinder:
    """Finds the words with one of *stems*.

    An identifier is matched by its parts and as a whole: `PgBouncer` is written `pgbouncer` too. In scripts without
    spaces a stem may start anywhere.
    """

    def __init__(self, stems: Collection[str]) -> None:
        self._of_word = _StemsOfWords(frozenset(stems))
        self._has_unspaced = any(not wanted.isascii() for wanted in stems)
        self._by_start: dict[str, set[str]] = {}
        for wanted in stems:
            self._by_start.setdefault(wanted[: max(_KEPT, len(wanted) - 1)], set()).add(wanted)

    def first(self, text: str) -> dict[str, int]:
        """Return the stems in *text*, each with the offset of the first word that has it."""
        first: dict[str, int] = {}
        of_word = self._of_word
        lowered = text.lower()
        # A letter may be two in lower case.
        if not text.isascii() and (self._has_unspaced or len(lowered) != len(text)):
            for match in _WORD.finditer(text):
                for root in of_word[match[0]]:
                    first.setdefault(root, match.start())
            return first
        for start, stems in self._by_start.items():
            left = len(stems)
            for match in _starting(start, text, lowered):
                for root in of_word[match[0]]:
                    if root in stems and root not in first:
                        first[root] = match.start()
                        left -= 1
                if not left:
                    break
        return first

    def positions(self, text: str) -> list[StemPosition]:
        """Return all stems in *text* in order, each with its word's position among the words."""
        having = enumerate(map(self._of_word.__getitem__, _words(text)))
        return [(at, root) for at, roots in having if roots for root in roots]


class _StemsOfWords(dict[str, tuple[str, ...]]):
    """Those of *stems* that each word has, worked out when it is asked for: most words occur again, and have none."""

    __slots__ = ("_starts", "_stem", "_stems", "_unspaced")

    def __init__(self, stems: frozenset[str]) -> None:
        from autology.text.stemmer import stem  # a lookup has loaded it

        self._stem = stem
        self._stems = stems
        self._starts = {wanted[:_KEPT] for wanted in stems}
        self._unspaced = [wanted for wanted in stems if not wanted.isascii()]

    def __missing__(self, word: str) -> tuple[str, ...]:
        has_none = word[:_KEPT] not in self._starts and word.islower() and word.isascii()
        stems = self[word] = () if has_none else self._stems_in(word)
        return stems

    def _stems_in(self, word: str) -> tuple[str, ...]:
        if not word.isascii():
            folded = word.casefold()
            return tuple(wanted for wanted in self._unspaced if wanted in folded)
        parts = (word,) if word.islower() or word.istitle() else (word, *_HUMP.split(word))
        stems = (self._stem(lower) for part in parts if (lower := part.lower())[:_KEPT] in self._starts)
        return tuple(root for root in stems if root in self._stems)


def words_between(text: str, first: int, last: int) -> int:
    """Return how many words of *text* start from the offset *first* on and end before *last*."""
    return len(_words(text[first:last]))


def _words(text: str) -> list[str]:
    """Return the words of *text*: what :data:`_WORD` finds, of ASCII in a quarter of its time."""
    return text.translate(_ASCII_WORDS).split() if text.isascii() else _WORD.findall(text)


def _starting(start: str, text: str, lowered: str) -> Iterator[re.Match[str]]:
    """Yield the words of *text* that begin with *start* or have a part which does, in order, and perhaps others.

    *lowered* is the text in lower case.
    """
    at = lowered.find(start)
    while at >= 0:
        word = at
        while text[at].isupper() and word and text[word - 1].isalnum():
            word -= 1  # a capital may begin a part within a word
        if not text[word - 1 : word].isalnum() and (match := _WORD.match(text, word)):
            yield match
            at = match.end() - 1
        at = lowered.find(start, at + 1)
