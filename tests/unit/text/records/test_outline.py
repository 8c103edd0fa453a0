"""Fields and headings of each form, with their places."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.text.records.mentions import references
from autology.text.records.outline import FORMS, Place
from autology.text.records.reading import read

MARKDOWN = (
    "---\nstatus: accepted  # for now\nauthors:\n  - Ada\n  - Bo\n---\n\n"
    "# Title\n\n* **Date**: 2020-01-02\n\n## Status\n\nDone\n"
)
NESTED = "---\nadr:\n  author: Ada\n  status:  Accepted\n  tags:\n    - mill\n---\n\n# Title\n"
TOML = '+++\nstatus = "accepted"\n+++\n\n# Title\n'
TABLE = "# Title\n\n| Status | Date |\n|---|---|\n| Accepted | 2020-01-02 |\n\n## Next\n"
ROWS = "# Title\n\n| Key | Value |\n|---|---|\n| Status | Accepted |\n"
HTML = "# Title\n\n<table><tr><td> Status </td><td> Accepted </td></tr></table>\n"
BOXED = "# Title\n\n## Preamble\n\n```\nCAP: 0003\nTitle: Gates\nStatus: Accepted\n```\n"
PRE = "<pre>\n  BIP: 3\n  Title: Gates\n  Status: Accepted\n</pre>\n\n==Abstract==\n"
RST = "==========\nThe  title\n==========\n\n:Author: Ada\n:Status: Accepted\n\nPart\n----\n\nText.\n"
DIRECTIVES = "Title\n=====\n\n.. author:: Ada\n.. status:: Accepted\n"
LIST_TABLE = "Title\n#####\n\n.. list-table::\n\n   * - Status\n     - Accepted\n   * - Created\n     - 2020-01-02\n"
ADOC = "= Title\n:status: Accepted\n\n== Context\n\n----\n== no heading\n----\n"
ADOC_TABLE = "= Title\n\n|===\n| Status\n| Accepted\n\n|Created |2020-01-02\n|===\n\n== Context\n"
ORG = "#+TITLE: Title\n#+STATUS: Accepted\n\n* Context\n\n#+BEGIN_SRC\n* no heading\n#+END_SRC\n"


@pytest.mark.parametrize(
    ("form", "text", "place"),
    [
        ("markdown", MARKDOWN, Place.FRONTMATTER),
        ("markdown", TOML, Place.FRONTMATTER),
        ("markdown", NESTED, Place.FRONTMATTER),
        ("markdown", "---\ntitle: Title\n---\n\n## Status\n\nAccepted\n\n## Context\n", Place.SECTION),
        ("markdown", TABLE, Place.TABLE),
        ("markdown", ROWS, Place.TABLE),
        ("markdown", HTML, Place.TABLE),
        ("markdown", BOXED, Place.HEADER),
        ("markdown", "# Title\n\nStatus: Accepted\n", Place.LINE),
        ("markdown", "# Title\n\n- **Status:** Accepted\n", Place.LINE),
        ("markdown", "# Title\n\n状态：Accepted\n", Place.LINE),
        ("markdown", "# Title\n\n## Status\n\nAccepted\n", Place.SECTION),
        ("mediawiki", PRE, Place.HEADER),
        ("rst", RST, Place.FIELD_LIST),
        ("rst", DIRECTIVES, Place.FIELD_LIST),
        ("rst", LIST_TABLE, Place.TABLE),
        ("asciidoc", ADOC, Place.FIELD_LIST),
        ("asciidoc", ADOC_TABLE, Place.TABLE),
        ("org", ORG, Place.FIELD_LIST),
        ("org", "#+TITLE: Title\n\n* Status\nAccepted\n* Context\n", Place.SECTION),
        ("text", "PEP: 1\nTitle: Gates\nStatus: Accepted\n\nText.\n", Place.HEADER),
    ],
)
def test_a_status_is_read_from_its_place(form: str, text: str, place: Place) -> None:
    fields = [field for field in read(text, form).fields if field.label.lower() in ("status", "状态")]
    assert [(field.place, field.value.lower()) for field in fields[:1]] == [(place, "accepted")]
    start, stop = fields[0].start, fields[0].stop
    assert "accepted" in text[start:stop].lower()


@pytest.mark.parametrize(
    ("form", "text", "titles"),
    [
        ("markdown", MARKDOWN, ["Title", "Status"]),
        ("rst", RST, ["The  title", "Part"]),
        ("asciidoc", ADOC, ["Title", "Context"]),
        ("org", ORG, ["Context"]),
        ("mediawiki", PRE, ["Abstract"]),
    ],
)
def test_headings_are_read_and_code_is_not(form: str, text: str, titles: list[str]) -> None:
    assert [heading.title for heading in read(text, form).headings] == titles


def test_a_list_in_frontmatter_has_a_line_for_each_item() -> None:
    authors = next(field for field in read(MARKDOWN, "markdown").fields if field.label == "authors")
    assert authors.value == "- Ada\n- Bo"


LINES = (
    "#+begin_a\n",
    "----\n",
    "....x\n",
    "| a ",
    "|===\n",
    "```\n",
    "<pre>\n",
    "key: # ' # ",
    ":a:`x",
    "<<a,",
    "a\n---\n",
    "[[",
    "   * - a\n",
)


@pytest.mark.parametrize("form", sorted(set(FORMS.values())))
@pytest.mark.parametrize("line", LINES)
def test_a_hostile_text_takes_time_in_proportion_to_its_length(form: str, line: str) -> None:
    times = []
    for size in (50_000, 200_000):
        text = line * (size // len(line))
        begun = time.process_time()
        read(f"---\n{text}\n---\n", form)
        list(references(text, frozenset(("adr",))))
        times.append(time.process_time() - begun)
    assert times[1] < 10 * times[0] + 0.3


@given(
    st.text(alphabet=st.sampled_from("ab #=-:|*\n\r`<>+~.é状\t"), max_size=300),
    st.sampled_from(sorted(set(FORMS.values()))),
)
def test_any_text_has_an_outline_with_offsets_inside_it(text: str, form: str) -> None:
    outline = read(text, form)
    for field in outline.fields:
        assert 0 <= field.start <= field.stop <= len(text)
    for heading in outline.headings:
        assert 0 <= heading.start <= heading.body <= len(text)


def test_keys_below_one_that_states_something_else_are_its_value() -> None:
    front = "milestone:\n  alpha: v1\n  beta: v2\nauthors:\n  name: Ada\n  title: Miller\n  date: 2020\n"
    text = f"---\n{front}---\n\n# Title\n"
    assert [field.label for field in read(text, "markdown").fields] == ["milestone", "authors"]


def test_a_title_that_names_a_field_is_no_section() -> None:
    assert [field.label for field in read("# Status\n\nDone\n\n## Context\n", "markdown").fields] == []
