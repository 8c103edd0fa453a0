"""What changed between two texts, as people read it."""

from __future__ import annotations

import random

from autology.text.documents.readable_diff import CHANGES, GONE, NEW, SAME, Change, compare

NOTE = (
    "---\nid: x\nstatus: active\nmodified: 2026-01-01T00:00:00Z\ntags: [a]\n---\n\n"
    "# Title\n\nFirst.\n\n## Context\n\nWhy.\n\n## Decision\n\nWe keep orders in MySQL, for now.\n"
)


def shown(before: str, after: str, path: str = "a.md") -> list[tuple[str, str]]:
    """Return the section and the text of each change, what is gone in ``-…-``, what is new in ``+…+``."""
    marks = {SAME: "", GONE: "-", NEW: "+"}
    changes = compare(before, after, path).changes
    return [(one.section, "".join(f"{marks[kind]}{text}{marks[kind]}" for kind, text in one.parts)) for one in changes]


def test_changed_words_are_shown_in_their_section() -> None:
    after = NOTE.replace("MySQL, for now", "PostgreSQL, for good").replace("Why.", "Why not.")
    assert shown(NOTE, after) == [
        ("Context", "Why+ not+."),
        ("Decision", "We keep orders in -MySQL-+PostgreSQL+, for -now-+good+."),
    ]


def test_another_sentence_is_shown_whole() -> None:
    after = NOTE.replace("We keep orders in MySQL, for now.", "Nobody knows; ask the team that runs it.")
    assert shown(NOTE, after) == [
        ("Decision", "-We keep orders in MySQL, for now.-+Nobody knows; ask the team that runs it.+")
    ]


def test_fields_are_a_section_and_what_always_changes_is_left_out() -> None:
    after = NOTE.replace("status: active", "status: superseded").replace("2026-01-01", "2026-02-02")
    assert shown(NOTE, after) == [("Fields", "status: -active-+superseded+")]
    assert shown(NOTE, NOTE.replace("2026-01-01", "2026-02-02")) == []
    related = "\n<!-- autology:related -->\n## Related\n- [[x|A]]\n<!-- /autology:related -->\n"
    assert shown(NOTE, NOTE + related) == []
    assert shown(NOTE, NOTE.replace("\n", "\r\n")) == []


def test_sections_that_come_and_go_are_named_by_their_own_heading() -> None:
    after = NOTE + "\n## Consequences\n\nWork.\n"
    assert shown(NOTE, after) == [("Consequences", "+## Consequences\n\nWork.+")]
    assert shown(after, NOTE) == [("Consequences", "-## Consequences\n\nWork.-")]


def test_other_forms_have_sections_too() -> None:
    rst = "Title\n=====\n\nContext\n-------\n\nWhy.\n"
    assert shown(rst, rst.replace("Why.", "Why not."), "a.rst") == [("Context", "Why+ not+.")]


def test_a_text_that_is_new_or_gone_is_shown_whole() -> None:
    assert shown("", "# A\n\nText.\n") == [("A", "+# A\n\nText.+")]
    assert shown("# A\n\nText.\n", "") == [("A", "-# A\n\nText.-")]
    assert shown("", "") == []


def test_huge_and_different_texts_are_bounded() -> None:
    chance = random.Random(1)
    before = "\n".join(str(chance.random()) for _ in range(60_000))
    after = "\n".join(str(chance.random()) for _ in range(60_000))
    assert compare(before, after, "a.md").changes
    shuffled = before.split("\n")
    chance.shuffle(shuffled)
    assert compare(before, "\n".join(shuffled), "a.md").too_different
    many = "\n".join(f"line {n}\n" for n in range(2_000))
    cut = compare(many, many.replace("line", "row"), "a.md")
    assert len(cut.changes) <= CHANGES
    long = compare("", "x" * 900_000, "a.md")
    assert len(long.changes[0].parts[0][1]) < 5_000
    assert isinstance(long.changes[0], Change)
