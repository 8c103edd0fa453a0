"""What the words of a question mean to an index: which it holds, and what misspelt and foreign ones stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from autology.core.index.retrieval import WordStatistics
from autology.ranking.asking_form import ENGLISH, AskingForm, asking_form, asking_words, misspelt_sorts, subject_of
from autology.ranking.evidence import Question, bare_word, is_english, is_identifier, question, words_of_subject
from autology.ranking.prompt_similarity import weighted_terms
from autology.text.language.translation import SPACED, Meanings, meanings, meanings_within
from autology.text.tokens import is_run, query_terms
from autology.text.wordlists import software_names

TERMS = 24
"""Words of a question that are considered."""
LEAST = 1.0
"""The weight of a question's words below which they say next to nothing; a few words alone are looked up anyway."""
INFLECTED = ("s", "es", "d", "ed", "ing")
SHORTEST = 4
"""Letters of a word from which it may be a misspelling."""
SHORTEST_FOREIGN = 3
"""Letters of a word from which it may be of another language with spaces."""
ASKED_FOR = frozenset(
    "which what whose welche welcher welches welchen welchem quel quelle quels quelles qué cuál".split()
)
"""Words before what a question asks for."""
FOREIGN = 0.5
"""The share of a question's words, above which it may be in another language than by its asking words."""

Counts = dict[tuple[str, ...], int]
"""Terms that an index holds, each with the number of its passages that hold it."""
Replacements = dict[str, tuple[str, ...]]
"""Words of a question, each with the words that it stands for."""


class Understood(NamedTuple):
    """A *question* as an index knows its words, the *query* to search for, and its *meaning* in English words.

    In the query, misspelt and foreign words are followed by what they mean.
    """

    question: Question
    query: str
    meaning: str


def understood(index: WordStatistics, words: str) -> Understood:
    """Return what the question *words* means to *index*."""
    form = asking_form(words)
    own_subject = " ".join(subject_of(words, form.language))
    subject = own_subject or words
    opening = next((written for _, written in words_of_subject(words[:200])[:1] if words.startswith(written)), "")
    terms = query_terms(subject)[:TERMS]
    size, held = _held(index, terms)
    every = words_of_subject(subject)
    strange = _strange(index, every, [term for term in terms if term not in held])
    asking = {word for word in strange if form.language == ENGLISH and misspelt_sorts(word, ENGLISH)}
    listed = [pair for pair in every if pair[0] not in asking][:TERMS]
    foreign = _foreign(index, listed, form.language, opening)
    spelled = index.spelled([word for word in strange if word not in asking and word not in foreign])
    unsure = [word for word in strange if word not in asking and word not in spelled]
    may_be_foreign = unsure if len(unsure) > FOREIGN * len(listed) else ()
    translated = _translated(index, words, listed, may_be_foreign, form.language, held)
    replacements: Replacements = {**translated, **{word: (right,) for word, right in spelled.items()}}
    held.update(_held(index, _terms(replacements.values()))[1])
    weights = dict(weighted_terms(tuple(held), tuple(held.values()), size)) if held else {}
    english = _in_english(listed, replacements, form.language)
    least = 0.0 if _is_keywords(form) else LEAST if own_subject else 2 * LEAST
    foreign -= replacements.keys()
    added = " ".join(dict.fromkeys(right for rights in replacements.values() for right in rights))
    meaning = " ".join(dict.fromkeys(right for right, _ in english)) if translated else words
    asked_for, compounds = _asked_for(words, every), _unknown_compounds(index, every)
    rows = index.word_rows
    return Understood(
        question(english, weights, index.ranks, rows, foreign, least, opening, size, asked_for, compounds),
        f"{words} {added}" if added else words,
        meaning,
    )


def _asked_for(words: str, subject: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return the words of the *subject* of the question *words* that only say what it asks for, as they are written.

    A text answers "which framework is it?" by its name, and "what feeds the hub?" in other words. Of several words in a
    row, as in "which Zigbee channel", the others say more.
    """
    listed = {as_written.lower() for _, as_written in subject}
    written = [bare for word in words.split() if (bare := bare_word(word))]
    lower = [word.lower() for word in written]
    return frozenset(
        written[at + 1]
        for at, (word, kind, following) in enumerate(zip(lower, lower[1:], [*lower[2:], ""], strict=False))
        if word in ASKED_FOR and kind in listed and following not in listed
    )


def _unknown_compounds(index: WordStatistics, subject: Iterable[tuple[str, str]]) -> list[str]:
    """Return the words of the *subject* that are written as a name of several words, which *index* does not hold."""
    names = [name for name in dict.fromkeys(written for _, written in subject) if name[0].isupper()]
    wholes = {name: group[-1:] for name in names if is_identifier(name) for group in query_terms(name) if group[1:]}
    held = _held(index, list(wholes.values()))[1]
    return [name for name, whole in wholes.items() if whole not in held]


def _is_keywords(form: AskingForm) -> bool:
    return form.is_terse and not form.is_question and not form.sorts


def _held(index: WordStatistics, terms: Sequence[tuple[str, ...]]) -> tuple[int, Counts]:
    """Return the size of *index*, and those of *terms* that it holds."""
    if not terms:
        return 0, {}
    size, counts = index.frequencies(terms)
    return size, {term: count for term, count in zip(terms, counts, strict=True) if count}


def _strange(index: WordStatistics, words: Iterable[tuple[str, str]], missing: Iterable[tuple[str, ...]]) -> list[str]:
    """Return the words of the *missing* terms that are rare in English: names, misspelt or foreign.

    *words* has how each is written; parts of identifiers and capitals are names for sure.
    """
    unknown = [word for term in missing for word in (term if len(term) == 1 else term[:-1])]
    names = {word for word, written in words if written.isupper() or is_identifier(written)}
    return [
        word
        for word, rank in zip(unknown, index.ranks(unknown), strict=True)
        if rank is None
        and word.isascii()
        and word.isalpha()
        and len(word) >= SHORTEST
        and word not in names
        and not _is_inflected(index, word)
    ]


def _is_inflected(index: WordStatistics, word: str) -> bool:
    """Whether *word* is a form of a word that is frequent in English: `audits`, no misspelling of `audio`."""
    bases = [word.removesuffix(ending) + final for ending in INFLECTED for final in ("", "e") if word.endswith(ending)]
    return any(rank is not None for rank in index.ranks([base for base in bases if len(base) >= SHORTEST]))


def _foreign(index: WordStatistics, listed: Sequence[tuple[str, str]], language: str, opening: str) -> set[str]:
    """Return those of the words *listed*, each with how it is written, that are not likely the same in English."""
    if language == ENGLISH:
        return set()
    ranks = index.ranks([word for word, _ in listed])
    return {
        word
        for (word, written), rank in zip(listed, ranks, strict=True)
        if not is_english(written, rank, language, opening)
    }


def _translated(
    index: WordStatistics,
    words: str,
    listed: Sequence[tuple[str, str]],
    unsure: Sequence[str],
    language: str,
    held: Counts,
) -> Replacements:
    """Return what words of another *language* mean: of each part, the English word that *index* holds most often.

    Words that it holds as often as they are mean themselves. In English, only *unsure* words may be of another.
    """
    possible: Mapping[str, Meanings]
    if language == ENGLISH:
        possible = {word: next(filter(None, (meanings(word, of) for of in SPACED)), ()) for word in unsure}
    elif language in SPACED:
        possible = {
            word: meanings(word, language, is_identifier(written) or word in software_names())
            for word, written in listed
            if len(word) >= SHORTEST_FOREIGN
        }
    else:
        # In the whole question: without the asking words, that of a word of which one is a part is left out.
        possible = {word: (may,) for word, may in meanings_within(words, language, asking_words(language))[:TERMS]}
    counts = _held(index, _terms(part for parts in possible.values() for part in parts))[1]
    own = {word: count for term, count in held.items() for word in term}
    replacements = {}
    for word, parts in possible.items():
        best = tuple(max(part, key=lambda right: counts.get((right,), 0)) for part in parts)
        if best and max(counts.get((right,), 0) for right in best) > own.get(word, 0):
            replacements[word] = best
    return replacements


def _terms(groups: Iterable[Sequence[str]]) -> list[tuple[str, ...]]:
    return list(dict.fromkeys((word,) for group in groups for word in group))


def _in_english(listed: Sequence[tuple[str, str]], replacements: Replacements, language: str) -> list[tuple[str, str]]:
    """Return the words *listed*, those of another language by what they mean, each with how it is written."""
    if language not in (ENGLISH, *SPACED) and (runs := [(word, word) for word in replacements if is_run(word)]):
        listed = [pair for pair in listed if not is_run(pair[0])] + runs
    return [(right, written) for word, written in listed for right in replacements.get(word, (word,))]
