"""Two branches' versions of a note, merged field by field."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.core.nodes.branch_merge import merged
from autology.text.notes.node_file import edit_node, read_node
from autology.text.notes.note_merge import UnmergeableError, merge_note

ID = "3f2a91c0-6b5e-4d0a-9c55-1f0a6a3a7c11"
A = "9be1d2aa-0c1f-4a57-8d43-2f6d5b0e9a77"
B = "7d1f0f64-8f0a-4c53-9d0b-3b7f2a6c1e55"
C = "0c1f9be1-8f0a-4c53-9d0b-3b7f2a6c1e99"
NOTE = f"""\
---
id: {ID}
type: decision
title: Use SQLite for the index
# asked for by operations
tags:
  - storage  # both teams
  - index
confidence: 0.9
created: 2026-02-08T12:00:00Z
modified: 2026-02-08T12:00:00Z
owner: Ada
aliases: [store]
relations:
  - type: affects
    target: {A}
    confidence: 0.8
---

# Use SQLite for the index

## Context

Notes are searched often.

## Decision

We use SQLite.

<!-- autology:related -->
## Related
- [[{A}|The index]]
<!-- /autology:related -->
"""
EARLY, LATE = "2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"
RELATION = "  - type: {}\n    target: {}\n    confidence: {}\n"


def changed(*pairs: tuple[str, str], at: str = EARLY, note: str = NOTE) -> str:
    for old, new in (("modified: 2026-02-08T12:00:00Z", f"modified: {at}"), *pairs):
        assert old in note
        note = note.replace(old, new)
    return note


def related(note: str, target: str, title: str, kind: str = "uses") -> str:
    with_it = note.replace("---\n\n#", RELATION.format(kind, target, 0.7) + "---\n\n#")
    return with_it.replace("<!-- /autology", f"- [[{target}|{title}]]\n<!-- /autology")


def test_tags_and_relations_of_both_are_there_once_and_those_taken_away_are_gone() -> None:
    ours = related(changed(("  - index\n", "  - index\n  - speed\n")), B, "The search")
    theirs = related(changed(("  - index\n", "  - disk\n"), at=LATE), C, "The cache", "affects")
    done = merge_note(NOTE, ours, theirs)
    node = read_node(done.text)
    assert done.conflicts == 0
    assert node.tags == ("storage", "speed", "disk")
    assert {(r.type.value, r.target) for r in node.relations} == {("affects", A), ("uses", B), ("affects", C)}
    assert f"- [[{A}|The index]]\n- [[{B}|The search]]\n- [[{C}|The cache]]\n<!--" in done.text
    assert "  - storage  # both teams\n" in done.text
    assert "# asked for by operations\ntags:" in done.text
    assert node.modified == LATE


def test_the_newer_side_decides_a_value_that_both_changed_and_a_single_change_stays() -> None:
    ours = changed(("title: Use", "title: Take"), ("# Use", "# Take"), ("owner: Ada", "owner: Bo"), at=LATE)
    theirs = changed(("title: Use", "title: Try"), ("# Use", "# Try"), ("confidence: 0.9", "confidence: 0.4"))
    for one, other in ((ours, theirs), (theirs, ours)):
        done = merge_note(NOTE, one, other)
        node = read_node(done.text)
        assert done.conflicts == 0
        assert (node.title, node.confidence, node.extra["owner"]) == ("Take SQLite for the index", 0.4, "Bo")
        assert "\n# Take SQLite for the index\n" in done.text


def test_the_place_of_a_record_is_never_a_conflict() -> None:
    front = f"---\nid: {A}\ntype: decision\ntitle: Use SQLite\nrecord: docs/%s\n---\n"
    one, other = (merge_note("", front % ours, front % theirs) for ours, theirs in (("1.md", "2.md"), ("2.md", "1.md")))
    assert (one.conflicts, one.text) == (0, front % "2.md")
    assert one.text == other.text


def test_simultaneous_changes_of_one_value_are_a_conflict() -> None:
    ours, theirs = NOTE.replace("owner: Ada", "owner: Bo"), NOTE.replace("owner: Ada", "owner: Cy")
    done = merge_note(NOTE, ours, theirs)
    assert done.conflicts == 1
    assert "<<<<<<< ours\nowner: Bo\n=======\nowner: Cy\n>>>>>>> theirs\n" in done.text
    assert done.text.replace("<<<<<<< ours\nowner: Bo\n=======\nowner: Cy\n>>>>>>> theirs\n", "owner: Ada\n") == NOTE


def test_a_relation_that_one_side_changed_and_the_other_removed_stays() -> None:
    gone = changed((f"relations:\n{RELATION.format('affects', A, 0.8)}", ""), ("- [[", "- gone [["))
    raised = changed(("confidence: 0.8", "confidence: 0.95"), at=LATE)
    for one, other in ((gone, raised), (raised, gone)):
        assert [r.confidence for r in read_node(merge_note(NOTE, one, other).text).relations] == [0.95]


def test_text_is_merged_by_paragraph_and_what_both_changed_is_marked() -> None:
    ours = changed(("searched often", "searched all day"))
    theirs = changed(("We use SQLite.", "We use SQLite.\n\n## Consequences\n\nOne file."), at=LATE)
    node = read_node(merge_note(NOTE, ours, theirs).text)
    assert "all day" in node.content
    assert node.content.endswith("One file.")
    done = merge_note(NOTE, ours, changed(("searched often", "searched at night")))
    assert done.conflicts == 1
    assert "<<<<<<< ours\nNotes are searched all day.\n=======\nNotes are searched at night." in done.text
    assert read_node(done.text).relations


def test_a_list_emptied_by_both_sides_leaves_other_lines_alone() -> None:
    ours, theirs = changed(("  - index\n", "")), changed(("  - storage  # both teams\n", ""), at=LATE)
    assert merge_note(NOTE, ours, theirs).text == changed(
        ("tags:\n  - storage  # both teams\n  - index\n", "tags: []\n"), at=LATE
    )


def test_a_note_that_both_branches_made_keeps_what_both_know() -> None:
    ours, theirs = changed(("  - index\n", "")), changed(("  - storage  # both teams\n", ""), at=LATE)
    done = merge_note("", ours, theirs)
    assert (done.conflicts, read_node(done.text).tags) == (0, ("storage", "index"))


def test_a_side_that_only_changed_newlines_does_not_touch_the_rest() -> None:
    windows = NOTE.replace("\n", "\r\n")
    done = merge_note(NOTE, windows, changed(("often", "a lot")))
    assert done.conflicts == 0
    assert done.text == changed(("often", "a lot")).replace("\n", "\r\n")


def test_files_of_other_kinds_are_merged_by_field_too() -> None:
    base = "---\nid: m1\nkind: fact\nupdated_at: 2026-01-01T00:00:00Z\ntags: [a, b]\nmeta:\n  x: 1\n---\nOne.\n\nTwo.\n"
    ours = base.replace("[a, b]", "[a, b, c]").replace("x: 1", "x: 1\n  y: 2").replace("2026-01", "2026-02")
    theirs = base.replace("[a, b]", "[b, d]").replace("x: 1", "x: 3").replace("2026-01", "2026-03").replace("Two", "2")
    done = merge_note(base, ours, theirs)
    assert done.conflicts == 0
    assert "tags:\n  - b\n  - c\n  - d\n" in done.text
    assert 'meta:\n  x: 3\n  "y": 2\n---\nOne.\n\n2.\n' in done.text


@pytest.mark.parametrize("broken", ["no frontmatter", "---\n: [\n---\n", "---\nid: *a\n---\n"])
def test_unparsable_notes_are_left_to_the_plain_text_merge(broken: str) -> None:
    with pytest.raises(UnmergeableError):
        merge_note(NOTE, broken, changed())
    with pytest.raises(UnmergeableError):
        merged(NOTE.encode(), b"\xff", changed().encode())


def test_a_frontmatter_of_many_fields_or_items_is_merged_at_once() -> None:
    fields = [f"f{at}: {at}" for at in range(8_000)]
    base = "\n".join(["---", "id: m1", "modified: 2026-01-01T00:00:00Z", *fields, "---", "One.", ""])
    ours = base.replace("f7: 7\n", "f7: 8\n").replace("2026-01", "2026-02")
    theirs = base.replace("f9: 9\n", "f9: 8\nnew: 1\n").replace("\nf7", "\ng7").replace("2026-01", "2026-03")
    tags = "---\nid: m1\nmodified: 2026-01-01T00:00:00Z\ntags: [{}]\n---\nOne.\n"
    items = [f"t{at}" for at in range(9_000)]
    begun = time.process_time()
    done = merge_note(base, ours, theirs)
    listed = merge_note(*(tags.format(", ".join(each)) for each in (items, items[1:], [*items, "x"])))
    assert time.process_time() - begun < 8  # 1 s; each item looked for in all lines takes twelve
    assert (done.conflicts, listed.conflicts) == (0, 0)
    assert "f7: 8\n" in done.text
    assert "f9: 8\nnew: 1\nf10: 10\n" in done.text
    assert "g7: 7\n" in done.text  # a new name for a field, whose old one was changed meanwhile
    assert "\nf70: 70\n" not in done.text


def test_a_key_among_very_many_blanks_is_handled_quickly() -> None:
    base = f"---\n? k{' ' * 90_000}x\n: 1\nowner: Ada\n---\nOne.\n"
    begun = time.process_time()
    with pytest.raises(UnmergeableError):
        merge_note(base, base.replace("Ada", "Bo"), base.replace("One", "Two"))
    assert time.process_time() - begun < 5


def test_bodies_that_would_take_too_long_to_compare_are_left_to_any_texts_merge() -> None:
    rng = random.Random(5)
    base, ours, theirs = (NOTE + "\n\n".join(rng.choices("abc", k=10_000)) for _ in range(3))
    with pytest.raises(UnmergeableError, match="differ too much"):
        merge_note(base, ours, theirs)
    with pytest.raises(UnmergeableError, match="longer than"):
        merged(b"", b"---\n" * 2_000_001, b"")


TAGS = st.sets(st.sampled_from("abcdef"), max_size=6)


@given(TAGS, TAGS, TAGS, st.booleans())
def test_sets_of_tags_are_merged_in_any_combination(
    base: set[str], ours: set[str], theirs: set[str], block: bool
) -> None:
    def tagged(tags: set[str], at: str) -> str:
        if not tags:
            return f"---\nid: {ID}\ntype: issue\ntitle: T\nmodified: {at}\n---\nText\n"
        listed = "".join(f"\n- {tag}" for tag in sorted(tags)) if block else f" [{', '.join(sorted(tags))}]"
        return f"---\nid: {ID}\ntype: issue\ntitle: T\nmodified: {at}\ntags:{listed}\n---\nText\n"

    done = merge_note(tagged(base, EARLY), tagged(ours, EARLY), tagged(theirs, LATE))
    assert done.conflicts == 0
    kept = {tag for tag in ours | theirs if (tag in ours) + (tag in theirs) + (tag not in base) >= 2}
    assert set(read_node(done.text).tags) == kept


def test_an_edit_by_the_tools_on_both_sides_merges_to_what_the_tools_would_write() -> None:
    from dataclasses import replace

    node = read_node(NOTE)
    ours = edit_node(NOTE, replace(node, title="Take SQLite", modified=EARLY), {A: "The index"})
    theirs = edit_node(NOTE, replace(node, content=node.content + "\n\nMore.", modified=LATE), {A: "The index"})
    both = replace(node, title="Take SQLite", content=node.content + "\n\nMore.", modified=LATE)
    assert merge_note(NOTE, ours, theirs).text == edit_node(NOTE, both, {A: "The index"})
