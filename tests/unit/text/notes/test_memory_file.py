"""A memory's file reads back as the memory, and an edit keeps every byte that it does not name."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autology.model.errors import UnreadableNodeError
from autology.model.memory import Kind, Memory, Scope, content_hash
from autology.text.notes import yaml_subset
from autology.text.notes.memory_file import ORDER, edit_memory, read_memory, write_memory

storable = st.characters(exclude_characters="\x00", exclude_categories=["Cs"])
SNIPPETS = ("---", "---\n", "\r\n", "\n", "\r", "```\n", "\ufeff", "# Title\n", "\u2028", "\x1b[31m", " ")
contents = (
    st.lists(st.one_of(st.text(storable, max_size=30), st.sampled_from(SNIPPETS)), min_size=1, max_size=10)
    .map("".join)
    .filter(lambda text: text.strip() != "")
)
texts = st.text(storable, max_size=20) | st.sampled_from(
    [
        "1.10",
        "007",
        "yes",
        "null",
        "true",
        "~",
        "2024-01-01",
        "1e3",
        "a: b",
        "# x",
        "- x",
        "'q'",
        '"',
        " x ",
        "0x1F",
        "",
    ]
)
numbers = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
fields = st.dictionaries(texts, json_values, max_size=4)
parts = st.none() | st.from_regex(r"[A-Za-z0-9_./@-]{1,12}", fullmatch=True)
stamps = st.datetimes().map(lambda at: at.replace(microsecond=0).isoformat() + "Z")
lines = st.text(storable, min_size=1, max_size=12).map(str.strip).filter(bool)
memories = st.builds(
    Memory,
    id=st.from_regex(r"[A-Za-z0-9]{1,8}(-[a-z0-9]{1,4})?", fullmatch=True).filter(
        lambda id: id.lower()[:3] not in ("con", "prn", "aux", "nul", "com", "lpt")
    ),
    kind=st.sampled_from(Kind),
    content=contents,
    scope=st.builds(Scope, parts, parts, parts),
    created_at=stamps,
    updated_at=stamps,
    expires_at=st.none() | stamps,
    data=fields.map(MappingProxyType),
    metadata=fields.map(MappingProxyType),
    tags=st.lists(lines, max_size=3).map(tuple),
    ttl_policy=st.sampled_from([None, "short", "permanent"]),
    idempotency_key=st.none() | lines,
    near_duplicate_of=st.lists(lines, max_size=2).map(tuple),
    extra=st.dictionaries(
        st.from_regex(r"[a-z]{3,9}x", fullmatch=True).filter(lambda key: key not in ORDER), json_values, max_size=2
    ).map(MappingProxyType),
).map(lambda memory: replace(memory, content_hash=content_hash(memory.content)))


def plain(memory: Memory) -> Memory:
    """*memory* with mappings that compare by value."""
    return replace(memory, data=dict(memory.data), metadata=dict(memory.metadata), extra=dict(memory.extra))


@settings(max_examples=150)
@given(memories)
def test_a_written_memory_reads_back_as_the_same_value(memory: Memory) -> None:
    assert plain(read_memory(write_memory(memory))) == plain(memory)


@settings(max_examples=60)
@given(memories, contents, fields)
def test_an_edited_file_holds_the_edited_memory(memory: Memory, content: str, data: dict) -> None:
    after = replace(memory, content=content, content_hash=content_hash(content), data=MappingProxyType(data))
    assert plain(read_memory(edit_memory(write_memory(memory), after))) == plain(after)


@settings(max_examples=40)
@given(memories)
def test_an_edit_that_changes_nothing_changes_no_byte(memory: Memory) -> None:
    text = write_memory(memory)
    assert edit_memory(text, memory) == text


HAND = (
    "---\r\n# by hand\r\nid: a1\r\nkind: todo\r\nowner: 'Kim'  # who\r\n"
    "created_at: 2026-01-01\r\ndata: {title: x, status: done}\r\n---\r\n\r\nDo it.\r\n"
)


def test_comments_quotes_and_line_ends_of_a_hand_written_file_stay() -> None:
    memory = read_memory(HAND)
    assert memory.content == "Do it."
    assert memory.data == {"title": "x", "status": "done"}
    edited = edit_memory(HAND, replace(memory, tags=("later",)))
    for line in (
        "# by hand\r\n",
        "owner: 'Kim'  # who\r\n",
        "data: {title: x, status: done}\r\n",
        "\r\n\r\nDo it.\r\n",
    ):
        assert line in edited
    assert "\n" not in edited.replace("\r\n", "")
    assert read_memory(edited).tags == ("later",)


@pytest.mark.parametrize(
    "text",
    [
        "---\n{id: a, kind: todo, extra: 3, data: {n: 1, v: 1.10, t: true, z: null, s: '1'}}\n---\n\nx\n",
        "---\nid: a\nkind: todo\n? extra\n: 3\ndata: {n: 1, v: 1.10, t: true, z: null, s: '1'}\n---\n\nx\n",
    ],
)
def test_rewriting_frontmatter_keeps_numbers_booleans_and_nulls(text: str) -> None:
    memory = read_memory(text)
    after = read_memory(edit_memory(text, replace(memory, tags=("later",))))
    assert after.tags == ("later",)
    assert repr(dict(after.data)) == repr({"n": 1, "v": "1.10", "t": True, "z": None, "s": "1"})
    assert after.extra == {"extra": 3}


def test_content_edited_by_hand_gets_the_hash_of_what_it_says_now() -> None:
    memory = Memory("a", Kind.RISK, "old", Scope(), "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z")
    text = write_memory(replace(memory, content_hash=content_hash("old"))).replace("old", "new")
    assert read_memory(text).content_hash == content_hash("new")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no frontmatter", "no frontmatter"),
        ("---\nkind: todo\n---\n\nx\n", "id is missing"),
        ("---\nid: a\nkind: song\n---\n\nx\n", "is not a kind"),
        ("---\nid: ../a\nkind: todo\n---\n\nx\n", "is not valid"),
        ("---\nid: a\nkind: todo\ndata: [1]\n---\n\nx\n", "data is not a mapping"),
        ("---\nid: a\nkind: todo\ncreated_at: soon\n---\n\nx\n", "not a date and time"),
        ("---\nid: a\nid: b\n---\n\nx\n", "twice"),
    ],
)
def test_a_file_that_is_no_memory_says_why(text: str, says: str) -> None:
    with pytest.raises(UnreadableNodeError, match=says):
        read_memory(text)


def test_the_folder_says_the_kind_that_a_file_leaves_out() -> None:
    assert read_memory("---\nid: a\n---\n\nx\n", Kind.TODO).kind is Kind.TODO


def test_numbers_booleans_and_nulls_are_typed_and_versions_stay_text() -> None:
    text = "a: 1\nb: 1.5\nc: true\nd: null\ne: 1.10\nf: 007\ng: '1'\nh: yes\ni: 1e3\nj: [1, x, {k: false}]\n"
    assert yaml_subset.load_typed(text) == {
        "a": 1, "b": 1.5, "c": True, "d": None, "e": "1.10", "f": "007", "g": "1", "h": "yes", "i": "1e3",
        "j": [1, "x", {"k": False}],
    }  # fmt: skip


@settings(max_examples=150)
@given(st.dictionaries(st.from_regex(r"[a-z]{1,6}", fullmatch=True), json_values, max_size=4))
def test_any_json_value_is_written_and_read_as_the_same_type(values: dict) -> None:
    text = "".join(yaml_subset.entry(key, yaml_subset.typed(value)) for key, value in values.items())
    read = yaml_subset.load_typed(text)
    assert read == values
    assert repr(read) == repr(values)
