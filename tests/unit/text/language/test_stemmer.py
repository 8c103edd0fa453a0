"""Stems of English words are what SQLite's own tokenizer makes of them."""

from __future__ import annotations

import random
import sqlite3

import pytest

from autology.text.stemmer import stem

BEGINNINGS = (
    "y by cry agree relat hop hopp fall fizz nation commun electr form operat conflat sens tr radic yell o_y x1"
)
ENDINGS = (
    "s es ies sses ss ed eed ing at bl iz y ational tional enci anci izer logi bli alli entli eli ousli ization ation"
    " ator alism iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance ence er ic"
    " able ible ant ement ment ent ion sion tion ou ism ate iti ous ive ize e ll le ly fully ations izers"
)


def test_words_are_shortened_as_porter_has_it() -> None:
    result = {"caches": "cach", "caching": "cach", "relational": "relat", "decisions": "decis", "hopping": "hop"}
    assert {word: stem(word) for word in result} == result
    for whole in ("is", "données", "数据", "v2", "x" * 80 + "ing"):
        assert stem(whole) == whole


def test_stems_equal_those_of_sqlites_porter_tokenizer() -> None:
    dice = random.Random(3)
    letters = "aeiouybcdfglmnrstvz"
    words = {begin + end for begin in BEGINNINGS.split() for end in ("", *ENDINGS.split())}
    words |= {"".join(dice.choices(letters, k=5)) + dice.choice(ENDINGS.split()) for _ in range(4_000)}
    listed = sorted(words)
    db = sqlite3.connect(":memory:")
    try:
        db.execute("CREATE VIRTUAL TABLE text USING fts5(word, tokenize=\"porter unicode61 tokenchars '_'\")")
    except sqlite3.OperationalError:
        pytest.skip("this SQLite has no full-text module to compare with")
    db.execute("CREATE VIRTUAL TABLE vocabulary USING fts5vocab(text, instance)")
    db.executemany("INSERT INTO text(rowid, word) VALUES (?, ?)", enumerate(listed))
    theirs = {listed[row]: term for term, row in db.execute("SELECT term, doc FROM vocabulary")}
    db.close()
    assert len(theirs) > 4_000
    assert {word: stem(word) for word in theirs} == theirs
