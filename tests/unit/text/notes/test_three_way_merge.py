"""Two changes of one text: neighbours stand side by side, and only what both changed is asked about."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.text.notes.sequence_diff import Budget, hunks
from autology.text.notes.three_way_merge import merge_text

BASE = "# Title\n\nFirst of all.\n\nThe second one.\n\nAnd a third.\n"
TEXTS = st.lists(
    st.sampled_from(["one", "two", "three", "- a\n- b", "    code", "x = 1\r\ny = 2"]), max_size=7
).flatmap(lambda parts: st.sampled_from(["\n\n", "\n", "\n \n\n"]).map(lambda gap: gap.join(parts)))


@given(TEXTS, TEXTS)
def test_a_side_that_changed_nothing_leaves_the_other_byte_for_byte(base: str, changed: str) -> None:
    assert merge_text(base, changed, base).text == changed
    assert merge_text(base, base, changed).text == changed
    assert merge_text(base, changed, changed).text == changed


@given(TEXTS, TEXTS, TEXTS)
def test_no_line_that_a_side_added_is_lost(base: str, ours: str, theirs: str) -> None:
    merged = {line.rstrip("\r") for line in merge_text(base, ours, theirs).text.split("\n")}
    known = {line.rstrip("\r") for line in base.split("\n")}
    for side in (ours, theirs):
        assert {line.rstrip("\r") for line in side.split("\n") if line.strip()} - known <= merged


@pytest.mark.parametrize(
    ("ours", "theirs", "merged"),
    [
        (
            ("First of all", "First"),
            ("second one", "second two"),
            "# Title\n\nFirst.\n\nThe second two.\n\nAnd a third.\n",
        ),
        (("The second one.\n\n", ""), ("a third", "a 3rd"), "# Title\n\nFirst of all.\n\nAnd a 3rd.\n"),
        (("The second", "New here.\n\nThe second"), ("second one", "2nd one"), None),
        (("third.\n", "third.\n\nA fourth.\n"), ("\n\nAnd a third.", ""), None),
    ],
)
def test_changes_of_neighbouring_paragraphs_are_no_conflict(
    ours: tuple[str, str], theirs: tuple[str, str], merged: str | None
) -> None:
    done = merge_text(BASE, BASE.replace(*ours), BASE.replace(*theirs))
    assert done.conflicts == 0
    assert merged in (done.text, None)
    assert done.text == merge_text(BASE, BASE.replace(*theirs), BASE.replace(*ours)).text


def test_paragraphs_that_both_took_away_are_no_conflict() -> None:
    ours, theirs = "# Title\n\nAnd a third.\n", "# Title\n\nFirst of all.\n\nAnd a third.\n"
    assert merge_text(BASE, ours, theirs).text == ours
    assert merge_text(BASE, "# Title\n\nFirst of all.\n", ours).text == "# Title\n"


def test_two_changes_within_a_paragraph_meet_line_by_line() -> None:
    base = "- one\n- two\n- three\n- four\n"
    done = merge_text(base, base.replace("one", "1"), base + "- five\n")
    assert (done.text, done.conflicts) == ("- 1\n- two\n- three\n- four\n- five\n", 0)


def test_only_lines_changed_by_both_sides_stand_between_conflict_markers() -> None:
    done = merge_text(BASE, BASE.replace("second one", "second two"), BASE.replace("second one", "2nd one"), 9)
    assert done.conflicts == 1
    assert done.text == (
        "# Title\n\nFirst of all.\n\n"
        "<<<<<<<<< ours\nThe second two.\n=========\nThe 2nd one.\n>>>>>>>>> theirs\n\nAnd a third.\n"
    )


def test_different_additions_at_one_place_are_a_conflict_and_equal_ones_are_not() -> None:
    both = merge_text(BASE, BASE + "\nMine.\n", BASE + "\nYours.\n")
    assert both.conflicts == 1
    assert both.text.startswith(BASE)
    assert merge_text(BASE, BASE + "\nMine.\n", BASE + "\nMine.\n").text == BASE + "\nMine.\n"


def test_a_long_text_is_merged_at_once() -> None:
    base = "\n\n".join(f"Paragraph {at} of many, all alike." for at in range(3_000)) + "\n"
    done = merge_text(base, base.replace("Paragraph 7 ", "Number 7 "), base.replace("h 2900 ", "h 2,900 "))
    assert done.conflicts == 0
    assert "Number 7 of" in done.text
    assert "h 2,900 of" in done.text


# ---- bounds --------------------------------------------------------------------------------------


MANY = 20_000


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize("numbered", [False, True])
def test_alternating_changes_of_a_long_text_are_merged_in_linear_time(gap: str, numbered: bool) -> None:
    def text(*words: str) -> str:
        lines = (f"{words[at % 2]} {at // 2 if numbered else ''}" for at in range(MANY))
        return gap.join(lines) + "\n"

    base, ours, theirs = text("x", "y"), text("x", "z"), text("w", "y")
    begun = time.process_time()
    done = merge_text(base, ours, theirs)
    assert time.process_time() - begun < 5  # 0.2 s; comparing all with all takes hours
    assert not done.coarse
    if gap == "\n\n":
        assert (done.text, done.conflicts) == (text("w", "z"), 0)
    else:
        assert done.conflicts == 1


@pytest.mark.parametrize("words", ["abc", "".join(map(chr, range(0x4E00, 0x4E00 + MANY)))])
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_texts_that_would_take_too_long_to_compare_are_one_conflict_that_holds_both(words: str, gap: str) -> None:
    rng = random.Random(words[0])
    base, ours, theirs = (gap.join(rng.choices(words, k=MANY)) for _ in range(3))
    begun = time.process_time()
    done = merge_text(f"top{gap}{base}", f"top{gap}{ours}", f"top{gap}{theirs}")
    assert time.process_time() - begun < 10
    assert (done.conflicts, done.coarse) == (1, True)
    head, rest = done.text.split("<<<<<<< ours\n")
    mine, rest = rest.split("=======\n")
    other, tail = rest.split(">>>>>>> theirs\n")
    assert (head + mine + tail, head + other + tail) == (f"top{gap}{ours}\n", f"top{gap}{theirs}\n")


@pytest.mark.parametrize("run", ["\n", " ", " \n", "\t\r\n"])
def test_long_runs_of_blanks_are_no_obstacle(run: str) -> None:
    begun = time.process_time()
    done = merge_text(f"a\n{run * 200_000}b\n", f"A\n{run * 200_000}b\n", f"a\n{run * 200_000}B\n")
    assert time.process_time() - begun < 5
    assert "A" in done.text
    assert "B" in done.text


@given(st.text("abcd", max_size=30), st.text("abcd", max_size=30))
def test_hunks_say_what_changed_and_nothing_more(base: str, side: str) -> None:
    result = hunks(base, side, Budget())
    rebuilt, at = "", 0
    for b0, b1, s0, s1 in result:
        assert b0 > at or at == 0
        rebuilt += base[at:b0] + side[s0:s1]
        at = b1
    assert rebuilt + base[at:] == side
    kept = len(base) - sum(b1 - b0 for b0, b1, _, _ in result)
    assert kept == longest_common(base, side)


def longest_common(one: str, other: str) -> int:
    row = [0] * (len(other) + 1)
    for a in one:
        before, row = row, [0]
        for at, b in enumerate(other):
            row.append(before[at] + 1 if a == b else max(row[-1], before[at + 1]))
    return row[-1]
