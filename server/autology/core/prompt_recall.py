"""What a prompt recalls: past conversations that it asks for or resembles, if the session's context lacks them."""

from __future__ import annotations

from collections import namedtuple

from autology.ranking.asking_form import ENGLISH, misspelt_sorts
from autology.ranking.prompt_similarity import (
    ERROR,
    FILES,
    NEAR,
    SAME_FILES,
    asks_for_knowledge,
    is_of_form,
    kind,
    match_share,
    shared,
    weighted_terms,
)
from autology.text.tokens import query_terms
from autology.text.user_words import errors, files_in, named_inside, own_words, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Set

    from autology.core.lookup_ports import ChunkHit, ChunkLookup, Terms
    from autology.ranking.prompt_similarity import RareTermThreshold
    from autology.ranking.recall_gate import Knowledge

_TERMS = 24
"""Maximum words looked up, some 0.1 ms each; further words are mostly repetitions."""
_CANDIDATES, _ORDERED = 12, 8
"""Chunks compared with the prompt, some 0.1 ms each, and with each other: with all 12, which takes 0.4 ms, one more and
one fewer shows the sentence that answers."""
_TOUCHING = 24
"""Chunks compared among those that touched a file, the latest first."""
_FOLLOWING, _READ, _LAST = 6, 600, 16
"""Chunks said after the best one that are compared with it, and characters and words of that, from its end, that they
match: with 24 words, which take half as long again, bench/change and the prompts of prompts4 and prompts5 come out the
same."""
_MISSING = 8
"""Maximum words looked up as misspellings, some 0.1 ms each."""
_NEARLY = 0.6
"""The least relevance of another chunk shown, relative to the best one."""
_CODE = "code"
"""The kind of a chunk that is code."""
_FILES = 4
"""Maximum files of a prompt looked up; a prompt with more is not about any of them."""
_LONGEST = 4_000
"""Maximum characters of a prompt's own words; a longer text is a document and resembles everything."""

TimeSpan = namedtuple("TimeSpan", ("since", "until", "words", "note", "rest"), defaults=("", "", "", "", ""))
"""The time that a prompt asks about: start and end as UTC stamps ("" if open), the words that named it, a note to show,
and the remaining own words of the prompt."""


class Subject:
    """What a prompt is about, as an index knows it: its *terms* that occur there, with their *frequencies*.

    With them its *words*, as the index spells them and in English, and those that it does not hold, *unheld*, each with
    what it may be a misspelling of. The index has *size* chunks. *own* are the person's own words in the prompt, and
    *meaning* what they mean, in English.
    """

    __slots__ = ("frequencies", "meaning", "own", "size", "terms", "unheld", "words")

    def __init__(
        self,
        terms: dict[tuple[str, ...], int],
        words: str,
        unheld: dict[str, tuple[str, ...]],
        size: int,
        own: str = "",
        meaning: str = "",
    ) -> None:
        self.terms, self.frequencies = tuple(terms), tuple(terms.values())
        self.words = words
        self.unheld = unheld
        self.size = size
        self.own, self.meaning = own, meaning

    @property
    def unknown(self) -> int:
        """The number of words that the index does not hold in any spelling."""
        return sum(not rights for rights in self.unheld.values())


class PastConversations:
    """The conversations of a project that a *session*'s context does not contain, optionally of one *span* only.

    *identities* returns the project's current and former ones. The context contains the session's own conversation
    since it was *compacted_at* that stamp ("" for never), and the chunks with the ids *recalled*. *cosines* returns how
    near a text is to rows of the encoder of that name; nothing if it cannot.
    """

    def __init__(
        self,
        index: ChunkLookup,
        identities: Callable[[], Sequence[str]],
        session: str,
        compacted_at: str,
        recalled: Set[str],
        span: TimeSpan | None = None,
        cosines: Callable[[str, str, Sequence[bytes]], Sequence[float]] = lambda *_: (),
    ) -> None:
        self._index = index
        self._cosines = cosines
        self._identities = identities
        self._session, self._compacted_at = session, compacted_at
        self._recalled = recalled
        self._span = span or TimeSpan()

    def answering(
        self, subject: Subject, code: bool, is_worth: Callable[[Knowledge], bool]
    ) -> tuple[list[ChunkHit], Knowledge, dict[str, str]]:
        """Return chunks about *subject*, nearest first, one per session, and how well the best one knows it.

        No chunks if what is known *is worth* no answer. They are ordered by the sum of their share of the subject's
        words and their cosine to the prompt. Only *code* if that was asked for and some is nearly as near; else what
        was said in a session instead of its code. What holds now comes before what it amended, unless the first state
        is asked for; the third value has the day of that by the id of the amended chunk.
        """
        from autology.ranking.recall_gate import NOTHING, Knowledge

        query = weighted_terms(subject.terms, subject.frequencies, subject.size)
        if not query:
            return [], NOTHING, {}
        matches = [
            (*shared(query, f"{chunk.question}\n{chunk.path}\n{chunk.text}"), chunk)
            for chunk in self._best(subject.terms, subject.frequencies)
        ]
        if not matches:
            return [], NOTHING, {}
        share, rare, _ = max(matches, key=lambda match: (match[0], match[2].score))
        total = sum(weight for _, weight in query)
        knowledge = Knowledge(share * total, share, rare, subject.unknown)
        if not is_worth(knowledge):
            return [], knowledge, {}
        relevant = self._by_relevance(subject.meaning, matches)
        weighed, amended = _in_force(subject.own, relevant[:_ORDERED], self._later(relevant))
        weighed += [(relevance, chunk) for relevance, _, chunk in relevant[_ORDERED:]]
        least = _NEARLY * relevant[0][0]
        near = [chunk for relevance, chunk in weighed if relevance >= least]
        near = _with_talk(near, [chunk for _, chunk in weighed], code)
        return self._without_repeats(near), knowledge, amended

    def _by_relevance(
        self, meaning: str, matches: Sequence[tuple[float, int, ChunkHit]]
    ) -> list[tuple[float, int, ChunkHit]]:
        """Return *matches* with the cosine to *meaning* added to their share of words, best first."""
        encoder, rows = self._index.rows([chunk.id for *_, chunk in matches])
        cosines = dict(zip(rows, self._cosines(meaning, encoder, list(rows.values())), strict=False)) if rows else {}
        nearer = [(share + max(0.0, cosines.get(chunk.id, 0.0)), rare, chunk) for share, rare, chunk in matches]
        return sorted(nearer, key=lambda match: (match[0], match[2].score), reverse=True)

    def subject(self, words: str, own: str, language: str) -> Subject:
        """Return *words*, the subject of a person's *own* words in a *language*, as the index knows them.

        A word that it does not hold asks something if it is a misspelt asking word; else it is the word that it is a
        misspelling of. Words of another language are what they mean in English.
        """
        english = self._in_english(own, words.split(), language)
        foreign = {part for word in english for part in (word, word.lower())}
        terms = query_terms(" ".join(word for word in words.split() if word not in foreign))[:_TERMS]
        frequencies = self._index.often(terms)
        known = [(term, often) for term, often in zip(terms, frequencies, strict=True) if often]
        missing = [
            part
            for term, often in zip(terms, frequencies, strict=True)
            if not often and term[0].isascii()
            for part in (term if len(term) == 1 else term[:-1])
        ][:_MISSING]
        unknown = [word for word in missing if not misspelt_sorts(word, language) and len(word) > 2]
        spelled = self._index.spelled([word for word in unknown if word.isalpha()]) if unknown else {}
        replaced = {**{word: (right,) for word, right in spelled.items()}, **english}
        if replaced:
            meant = tuple((word,) for word in dict.fromkeys(right for rights in replaced.values() for right in rights))
            known += zip(meant, self._index.often(meant), strict=True)
        within = [right for word, rights in english.items() if word not in words.split() for right in rights]
        shown = [
            right
            for word in words.split()
            if word.isascii() or not within
            for right in replaced.get(word, replaced.get(word.lower(), (word,)))
        ]
        unheld: dict[str, tuple[str, ...]] = {word: (spelled[word],) if word in spelled else () for word in unknown}
        words = " ".join(dict.fromkeys((*shown, *within)))
        return Subject(dict(known), words, unheld, self._index.size(), own, own if language == ENGLISH else words)

    def _in_english(self, own: str, words: Sequence[str], language: str) -> dict[str, tuple[str, ...]]:
        if language == ENGLISH:
            return {}
        from autology.core.prompt_translation import in_english

        return in_english(own, words, language, self._index.often)

    def _best(self, terms: Terms, frequencies: Sequence[int]) -> Sequence[ChunkHit]:
        return self._index.best(
            terms,
            _CANDIDATES,
            projects=self._identities(),
            since=self._span.since,
            until=self._span.until,
            but=self._session,
            unless=self._compacted_at,
            often=frequencies,
        )

    def _later(self, matches: Sequence[tuple[float, int, ChunkHit]]) -> list[ChunkHit]:
        """Return chunks said later that speak of what the best of *matches* does: one may change that."""
        _, _, best = matches[0]
        known = {chunk.id for *_, chunk in matches}
        terms = query_terms(best.text[-_READ:])[-_LAST:]
        chunks = self._index.best(
            terms,
            _FOLLOWING,
            kinds=("conversation",),
            projects=self._identities(),
            since=best.at,
            until=self._span.until,
            but=self._session,
            unless=self._compacted_at,
        )
        return [chunk for chunk in chunks if chunk.id not in known]

    def about(self, words: str, bar: RareTermThreshold) -> list[ChunkHit]:
        """Return chunks that reach the *bar*, nearest first, one per question."""
        terms = query_terms(words)[:_TERMS]
        frequencies = self._index.often(terms)
        query = weighted_terms(terms, frequencies, self._index.size())
        if not query or sum(frequency > 0 for frequency in frequencies) < bar.rare_terms:
            return []
        chunks = self._best(terms, frequencies)
        shares = [match_share(bar, query, f"{chunk.question}\n{chunk.path}\n{chunk.text}") for chunk in chunks]
        near = [(share, chunk.score, chunk) for share, chunk in zip(shares, chunks, strict=True) if share]
        near.sort(key=lambda hit: hit[:2], reverse=True)
        return self._without_repeats([chunk for *_, chunk in near])

    def touching(self, files: Sequence[str], words: str, bar: RareTermThreshold) -> list[ChunkHit]:
        """Return chunks that touched *files* and reach the *bar* for *words*, nearest first, one per question."""
        chunks = self._index.touching(files, _TOUCHING, self._identities(), self._session, self._compacted_at)
        terms = query_terms(words)[:_TERMS] if chunks else []
        query = weighted_terms(terms, self._index.often(terms), self._index.size()) if terms else []
        shares = [match_share(bar, query, f"{chunk.question}\n{chunk.text}") if query else 0.0 for chunk in chunks]
        near = [(share, chunk) for share, chunk in zip(shares, chunks, strict=True) if share]
        return self._without_repeats([chunk for _, chunk in sorted(near, key=lambda hit: hit[0], reverse=True)])

    def latest(self, sessions: int) -> list[ChunkHit]:
        """Return the last chunk of each of the latest *sessions*."""
        filters = (self._session, self._compacted_at, self._span.since, self._span.until)
        return self._without_repeats(self._index.latest(sessions, self._identities(), *filters))

    def _without_repeats(self, chunks: Sequence[ChunkHit]) -> list[ChunkHit]:
        """Return the first of *chunks* for each question, of code and of talk, without those in the context."""
        questions: dict[tuple[str, str, bool], ChunkHit] = {}
        for chunk in chunks:
            questions.setdefault((chunk.session, chunk.question, chunk.kind == _CODE), chunk)
        return [chunk for chunk in questions.values() if chunk.id not in self._recalled]


def _with_talk(near: Sequence[ChunkHit], chunks: Sequence[ChunkHit], code: bool) -> list[ChunkHit]:
    """Return *near* with what was said in a session, the nearest of *chunks*, instead of its code.

    That has the decision and its reason. If *code* is asked for and the assistant wrote some of the nearest, only that,
    each followed by what was said.
    """
    talks = {chunk.session: chunk for chunk in reversed(chunks) if chunk.kind != _CODE}
    written = [chunk for chunk in near if chunk.kind == _CODE and chunk.trust != "user"] if code else []
    if written:
        pairs = ((chunk, talks.get(chunk.session, chunk)) for chunk in written)
        return list(dict.fromkeys(chunk for pair in pairs for chunk in pair))
    nearest: dict[str, ChunkHit] = {}
    for chunk in near:
        nearest.setdefault(chunk.session, talks.get(chunk.session, chunk) if chunk.kind == _CODE else chunk)
    return list(nearest.values())


def _in_force(
    own: str, matches: Sequence[tuple[float, int, ChunkHit]], later: Sequence[ChunkHit]
) -> tuple[list[tuple[float, ChunkHit]], dict[str, str]]:
    """Return the chunks of *matches*, each with its share of the subject, what holds now first.

    If a person's *own* words ask how something was at first, what was amended comes first. With the chunks, by the id
    of each that a later one amended, the day of that. Of those said *later*, only those that amend one are returned.
    """
    matches = [*matches, *((0.0, 0, chunk) for chunk in later)]
    chunks = [chunk for *_, chunk in matches]
    if len({chunk.at for chunk in chunks}) < 2:
        return [(share, chunk) for share, _, chunk in matches], {}
    from autology.ranking.amendments import Text, in_force
    from autology.text.language.first_state import asks_for_the_first_state

    texts = [Text(chunk.at, f"{chunk.question}\n{chunk.text}", "", chunk.session) for chunk in chunks]
    weighed, changed, _ = in_force(texts, [share for share, *_ in matches], asks_for_the_first_state(own))
    in_order = sorted(zip(weighed, chunks, strict=True), key=lambda match: match[0], reverse=True)
    return in_order, {chunks[earlier].id: chunks[later].at[:10] for earlier, (later, _) in changed.items()}


# ---- what a prompt resembles -----------------------------------------------------------------------


def request_in(prompt: str) -> str | None:
    """Return the own words of a *prompt* that may resemble past work; None for a document or nobody's words."""
    own = own_words(prompt)
    return own if (own or errors(prompt)) and len(own) <= _LONGEST else None


def resembling(prompt: str, own: str, past: PastConversations) -> tuple[str, list[ChunkHit]]:
    """Return the class of *prompt*, whose person's *own* words these are, and the past work that it resembles.

    The closest comes first.
    """
    words = " ".join(dict.fromkeys((own, *named_inside(prompt))))
    words_in_order = words_of(words) if "." in words else []
    files = files_in(words_in_order)[:_FILES]
    request = kind(own, errors(prompt))
    if request != ERROR and asks_for_knowledge(own):
        return request, []
    chunks = past.about(words, NEAR[request])
    if files and not (chunks and request == ERROR) and not is_of_form(own):
        rest = " ".join(word for word in words_in_order if not files_in((word,)))
        if same := past.touching(files, rest, SAME_FILES):
            return FILES, same
    return request, chunks


# ---- the time that a prompt asks about ---------------------------------------------------------------

_TIME_WORDS = frozenset(
    "today tonight yesterday morning afternoon evening night ago back hour hours hrs day days week weeks weekend month"
    " months quarter year years monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur"
    " thurs fri sat sun january february march april may june july august september october november december jan feb"
    " mar apr jun jul aug sep sept oct nov dec".split()
)
_CENTURIES = ("19", "20")


def time_span(own: str) -> TimeSpan | None:
    """Return the time that a person's *own* words ask about, as in the tools' time arguments; None if they name none.

    Usually they name none: parsing takes longer than everything else before the search.
    """
    if not _may_name_a_time(own):
        return None
    from datetime import UTC, datetime

    from autology.text.language.calendar_spans import Clock
    from autology.text.language.time_expressions import time_filter

    time, note = time_filter(own, Clock(datetime.now(UTC)))
    if time is None or not time.span:
        return None
    since, until = time.span.stamps
    return TimeSpan(since or "", until or "", " ".join(time.words), note, time.rest)


def _may_name_a_time(own: str) -> bool:
    lower = own.lower()
    for mark in "'’,?!.:;()":
        lower = lower.replace(mark, " ")
    words = lower.split()
    return not _TIME_WORDS.isdisjoint(words) or any(
        word.startswith(_CENTURIES) and word[:4].isdigit() for word in words
    )
