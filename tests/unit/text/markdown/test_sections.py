"""Headings are found where markdown has them, and nowhere else."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.text.markdown.blocks import without_blocks, without_code
from autology.text.markdown.sections import extent, sections

pieces = st.lists(
    st.one_of(
        st.text(max_size=8),
        st.sampled_from(
            [
                "\n",
                "\r\n",
                "\r",
                "# ",
                "## a\n",
                "a\n---\n",
                "===\n",
                "```\n",
                "~~~\n",
                "`",
                "<!--",
                "-->",
                "- ",
                "> ",
                "---\n",
                "\ufeff",
                "    ",
            ]
        ),
    ),
    max_size=25,
).map("".join)


def titles(text: str) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in sections(text)]


def test_headings_of_every_level_are_sections() -> None:
    text = "# One\n\n## Two ##\n\ntext\n\n###### Six\n####### seven is none\n#\n"
    assert titles(text) == [(1, "One"), (2, "Two"), (6, "Six"), (1, "")]


def test_an_underlined_heading_is_a_section_of_level_one_or_two() -> None:
    assert titles("Title\n=====\n\nA longer\nheading\n---\ntext\n") == [(1, "Title"), (2, "A longer heading")]


def test_a_horizontal_rule_is_not_a_heading() -> None:
    assert titles("text\n\n---\n\n- item\n---\n\n> quoted\n---\n\n| cell |\n---\n\n***\n---\n") == []


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_is_understood(newline: str) -> None:
    text = newline.join(["\ufeff# One", "text", "", "Two", "---", "more", "# Three"])
    assert titles(text) == [(1, "One"), (2, "Two"), (1, "Three")]
    assert text[sections(text)[1].start : sections(text)[1].body] == f"Two{newline}---{newline}"


@pytest.mark.parametrize(
    "code",
    [
        "```\n# no\n```",
        "~~~ python\n# no\n```\n# no\n~~~",
        "````\n```\n# no\n````",
        "> ```\n> # no\n> ```",
        "- ```\n  # no\n  ```",
        "1. item\n\n    ```sh\n    # no\n    ```",
        "    # no",
        "<!--\n# no\n-->",
        "<!-- a --> <!--\n# no\n-->",
        "#no",
    ],
)
def test_code_and_comments_have_no_headings(code: str) -> None:
    assert titles(f"# Before\n\n{code}\n\n# After\n") == [(1, "Before"), (1, "After")]


def test_a_fence_never_closed_takes_the_rest() -> None:
    assert titles("# a\n```\n# b\n") == [(1, "a")]


def test_a_fence_in_a_list_or_quotation_ends_with_it() -> None:
    assert titles("- ```\n  code\n\n# a\n\n> ```\n> code\n\n# b\n") == [(1, "a"), (1, "b")]


def test_backticks_in_a_line_open_no_fence() -> None:
    assert titles("``` not a fence ```\n# a\n") == [(1, "a")]


def test_a_comment_in_inline_code_hides_nothing() -> None:
    assert titles("The `<!--` marker.\n\n# a\n\n-->\n") == [(1, "a")]


def test_frontmatter_has_no_headings() -> None:
    assert titles("---\n# a comment\ntitle: x\n---\n# a\n") == [(1, "a")]


def test_a_section_ends_at_the_next_heading_and_its_extent_at_the_next_as_high() -> None:
    text = "intro\n# a\n1\n## b\n2\n### c\n3\n## d\n4\n"
    content = sections(text)
    assert [text[section.body : section.stop] for section in content] == ["1\n", "2\n", "3\n", "4\n"]
    assert text[content[1].body : extent(content, 1)] == "2\n### c\n3\n"
    assert extent(content, 0) == len(text)


@given(pieces)
def test_sections_divide_the_text_behind_the_first_heading(text: str) -> None:
    content = sections(text)
    if content:
        assert "".join(text[section.start : section.stop] for section in content) == text[content[0].start :]
        assert all(section.start < section.body <= section.stop or section.body == section.stop for section in content)


@given(pieces)
def test_blanking_code_keeps_every_offset_and_line(text: str) -> None:
    for blanked in (without_blocks(text), without_code(text)):
        assert len(blanked) == len(text)
        assert all(new == old or (new == " " and old not in "\r\n") for new, old in zip(blanked, text, strict=True))


def test_inline_code_is_blanked_where_it_closes_in_its_paragraph() -> None:
    assert without_code("a `b` ``c`d`` e") == "a           ".ljust(13) + " e"
    assert without_code("a `b\n\nc` d") == "a `b\n\nc` d"
    assert without_code(r"a \`b` c") == r"a \`b` c"


@pytest.mark.parametrize(
    "unit", ["# a\n", "a\n---\n", "\n", "`a ", "```\n", "    ```\n", "<!--", "- ```\n", "=\n", "a\n"]
)
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    # 200,000 characters read quadratically would take minutes.
    began = time.process_time()
    sections(unit * (200_000 // len(unit)))
    assert time.process_time() - began < 10
