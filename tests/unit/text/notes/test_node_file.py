"""A node's file reads back as the node, and edits keep what they do not touch."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autology.model.errors import UnreadableNodeError
from autology.model.node import DecisionStatus, Node, NodeStatus, NodeType, Relation, RelationType
from autology.text.notes.node_file import ORDER, edit_node, read_node, write_node

ID = "3f2a91c0-1111-4222-8333-444455556666"
OTHER = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeffff0000"

storable = st.characters(exclude_characters="\x00", exclude_categories=["Cs"])
one_line = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029"), min_size=1, max_size=100
).filter(lambda s: s.strip() == s and s)
SNIPPETS = ("---", "---\n", "\r\n", "\n", "\r", "## Related\n", "# Title\n", "```\n", "\ufeff", "\x1b[31m")
GENERATED = ("<!-- autology:related -->\n", "<!-- /autology:related -->\n", f"- [[{OTHER}|x]]\n", "- [[x]]\n")
snippets = st.sampled_from([*SNIPPETS, *GENERATED, "<!-- /autology:related -->"])
contents = st.lists(st.one_of(st.text(storable, max_size=30), snippets), max_size=12).map("".join)
tags = st.lists(st.from_regex(r"[a-z0-9]{1,8}(-[a-z0-9]{1,5})?", fullmatch=True), max_size=4, unique=True).map(tuple)
keys = st.one_of(st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,10}", fullmatch=True), one_line).filter(
    lambda k: k not in ORDER and k.strip("\"'") == k
)
values = st.one_of(
    one_line, st.text(storable, max_size=20), st.lists(st.text(storable, max_size=10), min_size=1, max_size=3)
)
relations = st.lists(
    st.builds(
        Relation,
        type=st.sampled_from(RelationType),
        target=st.uuids(version=4).map(str),
        confidence=st.floats(0, 1),
        description=st.none() | st.text(storable, min_size=1, max_size=20).filter(lambda s: s not in ("~", "null")),
    ),
    max_size=3,
    unique_by=lambda r: r.key,
).map(tuple)
nodes = st.builds(
    Node,
    id=st.just(ID),
    type=st.sampled_from(NodeType),
    title=st.one_of(
        one_line, st.sampled_from(["---", "yes", "1.10", "a: b", "# x", "2024-01-01", "null", "'q'", '"', "Related"])
    ),
    content=contents,
    created=st.just("2026-02-08T10:00:00Z"),
    modified=st.just("2026-02-09T10:00:00Z"),
    tags=tags,
    relations=relations,
    confidence=st.floats(0, 1),
    session=st.none() | st.just("s-1"),
    references=st.lists(st.sampled_from(["src/a.py", "docs/é b.md", "x"]), unique=True, max_size=2).map(tuple),
    status=st.sampled_from(NodeStatus),
    decision_status=st.none() | st.sampled_from(DecisionStatus),
    extra=st.dictionaries(keys, values, max_size=3),
)


@settings(max_examples=400)
@given(nodes)
def test_a_written_node_reads_back_as_itself(node: Node) -> None:
    if node.title in ("null", "~"):
        node = replace(node, title="nil")
    assert read_node(write_node(node, {})) == node


@settings(max_examples=300)
@given(nodes, nodes, st.booleans())
def test_an_edited_file_holds_exactly_the_new_node(before: Node, after: Node, titled: bool) -> None:
    before, after = (replace(n, title="nil") if n.title in ("null", "~") else n for n in (before, after))
    after = replace(after, extra=before.extra)
    text = write_node(before, {})
    titles = {r.target: "A | [title]" for r in after.relations} if titled else {}
    assert read_node(edit_node(text, after, titles)) == after
    assert edit_node(text, before, {}) == text


def a_node(**fields: object) -> Node:
    base = Node(ID, NodeType.DECISION, "Use JWT", "## Context\nwhy", "2026-02-08T10:00:00Z", "2026-02-08T10:00:00Z")
    return replace(base, **fields)  # type: ignore[arg-type]


HAND = f"""---
# who wrote this
aliases: [jwt, tokens]   # for the graph view
id: {ID}
type: decision
title:   'Use JWT'
tags: [Auth, "API Design"]
confidence: 1
created: 2026-02-08 10:00:00
modified: 2026-02-08T12:00:00+02:00
cssclass: wide
source: manual
status: active   # still holds
---

# Use JWT

## Context
why
## Related
- my own list
"""


def test_a_hand_written_file_is_understood() -> None:
    node = read_node(HAND)
    assert node.tags == ("auth", "api-design")
    assert node.confidence == 1.0
    assert (node.created, node.modified) == ("2026-02-08T10:00:00Z", "2026-02-08T10:00:00Z")
    assert node.content == "## Context\nwhy\n## Related\n- my own list"
    assert node.extra == {"aliases": ["jwt", "tokens"], "cssclass": "wide"}


def test_an_edit_keeps_comments_unknown_keys_and_spacing() -> None:
    after = replace(read_node(HAND), modified="2026-03-01T00:00:00Z", session="s-9")
    text = edit_node(HAND, after, {})
    assert [line for line in HAND.splitlines() if line not in text.splitlines()] == [
        "modified: 2026-02-08T12:00:00+02:00"
    ]
    assert "modified: 2026-03-01T00:00:00Z\nsession: s-9\ncssclass: wide" in text


def test_a_new_relation_leaves_the_content_alone_and_shows_the_title() -> None:
    after = replace(read_node(HAND), relations=(Relation(RelationType.AFFECTS, OTHER),))
    text = edit_node(HAND, after, {OTHER: "Auth service"})
    assert text.endswith(
        "- my own list\n\n<!-- autology:related -->\n## Related\n"
        f"- [[{OTHER}|Auth service]]\n<!-- /autology:related -->\n"
    )
    assert read_node(text).content == read_node(HAND).content
    assert edit_node(text, read_node(HAND), {}).split("---", 2)[2] == HAND.split("---", 2)[2]


def test_text_written_below_the_generated_list_is_content() -> None:
    text = write_node(a_node(relations=(Relation(RelationType.USES, OTHER),)), {}) + "\nAdded by hand.\n"
    node = read_node(text)
    assert node.content == "## Context\nwhy\n\nAdded by hand."
    text = edit_node(text, replace(node, relations=()), {})
    assert "Added by hand." in text
    assert "autology:related" not in text
    assert read_node(text).content == node.content


def test_a_crlf_file_stays_a_crlf_file() -> None:
    text = HAND.replace("\n", "\r\n")
    node = read_node(text)
    edited = edit_node(text, replace(node, tags=("x",), relations=(Relation(RelationType.USES, OTHER),)), {})
    assert "\n" not in edited.replace("\r\n", "")
    assert read_node(edited).content == node.content


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no front", "no frontmatter"),
        ("---\nid: x\n---\n", "id 'x' is not a UUID v4"),
        (f"---\nid: {ID}\ntype: decision\n---\n", "title is missing"),
        (f"---\nid: {ID}\ntype: nonsense\ntitle: x\n---\n", "type 'nonsense' is not a node type"),
        (f"---\nid: {ID}\ntype: decision\ntitle: x\nconfidence: 7\n---\n", "confidence '7'"),
        (f"---\nid: {ID}\ntype: decision\ntitle: x\ncreated: soon\n---\n", "created 'soon'"),
        (f"---\nid: {ID}\ntype: decision\ntitle: x\nrelations:\n  - type: likes\n    target: y\n---\n", "'likes'"),
        ("---\n<<<<<<< HEAD\nid: x\n=======\n---\n", "frontmatter"),
        ("---\na: &a [x]\nb: *a\n---\n", "aliases"),
        ("---\na: " + "[" * 5000 + "\n---\n", "frontmatter"),
        ("---\na: x\na : y\n---\n", "twice"),
    ],
)
def test_a_file_that_is_no_node_says_why(text: str, reason: str) -> None:
    with pytest.raises(UnreadableNodeError) as caught:
        read_node(text)
    assert reason in str(caught.value)


def test_an_unresolved_merge_is_called_by_its_name() -> None:
    text = HAND.replace("confidence: 1\n", "<<<<<<< HEAD\nconfidence: 1\n=======\nconfidence: 0.5\n>>>>>>> b1\n")
    with pytest.raises(UnreadableNodeError, match="has an unresolved merge conflict"):
        read_node(text)
    with pytest.raises(UnreadableNodeError, match="has an unresolved merge conflict"):
        read_node("<<<<<<< HEAD\n" + HAND + "=======\n" + HAND + ">>>>>>> b1\n")
