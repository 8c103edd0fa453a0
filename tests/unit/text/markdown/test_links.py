"""Links and tags in markdown: found where they are meant, written anew without touching the rest."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from autology.text.markdown import links, tag_block
from autology.text.markdown.links import Mention, mentions, rewritten

EVERYTHING = """\
---
title: X
tags: [a, b/c]
related: [foo, "[[Bar Baz]]", 'q']
up: "[[Parent]]"
---
# Heading #not-cut
[[Target|Label]] ![[embed#h]] ![[image.png]] [x](a%20b.md#frag) [y](<c d.md>) [z](https://x.org/y.md) [w](f.pdf)
`[[no]]` #inline-tag [tag: Con Cept] tag-legacy re-tag-no docs/tag-no x#no #123
| [[A\\|b]] | [[#here]] | \\[[no]] |
```
[[no]] #no
<!-- tags: NO: y -->
```
[definition]: ../principles.md "P"
[^1]: no.md
<!-- [[no]] -->
<!-- tags: [DOMAIN: ml], [K: [[Wiki|z]]], plain -->
"""
PIECES = st.sampled_from(
    [
        "[[Target]]",
        "[[T#h|l]]",
        "![[e]]",
        "[x](a.md)",
        "[x](<b c.md>)",
        "```\n",
        "`",
        "<!--",
        "-->",
        "<!-- tags: K: v -->",
        "<!-- tags: [K: v] [a] -->",
        "---\n",
        "related: [a]\n",
        "#tag",
        "\r\n",
        "\n",
        "\ufeff",
        " ",
        "[",
        "]",
        "é",
        "漢",
        "[d]: e.md\n",
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=6), max_size=25).map("".join)
TAGS = st.lists(st.sampled_from(["a", "K: v", "OTHER: some words", "b c", "Ü: x"]), min_size=1, max_size=4)


def test_every_form_of_link_and_tag_is_found_and_nothing_in_code_or_comments() -> None:
    result = [(mention.type, mention.target) for mention in mentions(EVERYTHING)]
    assert result == [
        ("TAGGED_AS", "a"),
        ("TAGGED_AS", "b/c"),
        ("RELATED_TO", "foo"),
        ("RELATED_TO", "Bar Baz"),
        ("RELATED_TO", "q"),
        ("CITES", "Parent"),
        ("TAGGED_AS", "not-cut"),
        ("CITES", "Target"),
        ("CITES", "embed"),
        ("CITES", "a b.md"),
        ("CITES", "c d.md"),
        ("TAGGED_AS", "inline-tag"),
        ("TAGGED_AS", "Con Cept"),
        ("EXEMPLIFIES", "legacy"),
        ("CITES", "A"),
        ("CITES", "../principles.md"),
        ("DOMAIN", "ml"),
        ("K", "Wiki"),
        ("TAGGED_AS", "plain"),
    ]


def test_a_rewritten_link_keeps_its_form() -> None:
    new = {mention: "new (1).md" for mention in mentions(EVERYTHING) if mention.leads_to_a_file}
    text = rewritten(EVERYTHING, new)
    for part in (
        "[x](new%20%281%29.md#frag)",
        "[y](<new (1).md>)",
        "[[new (1).md|Label]]",
        "![[new (1).md#h]]",
        "[[new (1).md\\|b]]",
        '[definition]: new%20%281%29.md "P"',
        "[K: [[new (1).md|z]]]",
    ):
        assert part in text, part


@settings(max_examples=300)
@given(TEXTS)
def test_every_link_stands_where_it_says_and_its_rewriting_leaves_the_rest_byte_for_byte(text: str) -> None:
    content = [mention for mention in mentions(text) if mention.leads_to_a_file and mention.start >= 0]
    assert rewritten(text, {}) == text
    for mention in content:
        assert 0 <= mention.start < mention.stop <= len(text)
        if mention.form == links.WIKI:
            assert text[mention.start : mention.stop] == mention.target
    for mention in content[:5]:
        new = rewritten(text, {mention: "zz9"})
        assert new.startswith(text[: mention.start])
        assert new.endswith(text[mention.stop :])
        assert "zz9" in new[mention.start : len(new) - len(text) + mention.stop]


@settings(max_examples=300)
@given(TEXTS, TAGS)
def test_tags_are_added_once_and_the_rest_stays_byte_for_byte(text: str, tags: list[str]) -> None:
    if not tag_block.blocks(text) and not tag_block.can_be_appended_to(text):
        return  # it ends inside of code or a comment: such a file is refused
    there = {tag.same for block in tag_block.blocks(text) for tag in block.tags}
    merged, added = tag_block.merged(text, tags)
    assert added == len({tag_block.read(tag).same for tag in tags} - there)
    at = next((i for i, (a, b) in enumerate(zip(text, merged, strict=False)) if a != b), len(text))
    assert merged.endswith(text[at:])
    assert merged[:at] == text[:at]
    now = {tag.same for block in tag_block.blocks(merged) for tag in block.tags}
    assert now == there | {tag_block.read(tag).same for tag in tags}
    assert tag_block.merged(merged, tags) == (merged, 0)


def test_scanning_takes_time_in_proportion_to_the_text() -> None:
    import time

    for piece in ("[[", "](", "<!-- tags:", "[tag:", "#a/", "tag-", "[x](<", "[[a|", "`", "---\nrelated:\n"):
        begun = time.process_time()
        mentions(piece * (200_000 // len(piece)))
        assert time.process_time() - begun < 20, piece  # 0.2 each; minutes if it grew with the square


def test_a_mention_of_a_tag_leads_to_no_file() -> None:
    assert not Mention(links.TAGGED_AS, "a", 0, 1, links.TAG).leads_to_a_file
