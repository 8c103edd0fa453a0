"""A text as indexed has the terms of its tokens, however they were looked up."""

from __future__ import annotations

from collections import Counter

from hypothesis import example, given
from hypothesis import strategies as st

from autology.text.language import word_order
from autology.text.stemmer import stem
from autology.text.tokens import exact_forms, index_stems, index_text, indexed

PARTS = st.sampled_from(
    ["Retries", "of", "HttpClient", "src/api/_x.py", "naïve", "数据库", " ", ", ", ".", "-", "10:30", "_"]
)


@given(st.lists(PARTS, max_size=30).map("".join))
@example("")
@example("... --- ...")
def test_an_indexed_text_counts_its_stems_and_exact_forms_in_order(text: str) -> None:
    tokens = index_text(text).split()
    stems = [stem(token) for token in tokens]
    terms = Counter([*stems, *exact_forms(tokens)])
    assert index_stems(text) == stems
    assert indexed(text) == (terms, terms.total(), b"".join(map(word_order.code, stems)))
