"""The first prose of a text is what says something, not the lines that stand above it."""

from __future__ import annotations

import pytest

from autology.text.markdown.first_prose import first_paragraph, from_first_prose


@pytest.mark.parametrize(
    "above",
    [
        "[summary]: #summary\n[other]: #other",
        "# A title",
        "A title\n=======",
        "    Author: Ada <ada(at)example(dot)org>\n    Status: Final/27.0\n    Post-History: https://x.org/1\n****\nA\n----",
        "Date: 2019-03-01",
        "## Status\n\nAccepted",
        "* Status: accepted\n* Date: 2020-01-01",
        "| Field | Value |\n|:--|:--|\n| Status | final |",
        "<!-- a note to authors\n\nthat is long. -->",
        "```toml\nname = 1\n\nA comment in it.\n```",
        ".. contents:: Everything in this record of ours",
        "![a picture](x.png)",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_first_paragraph_comes_after_what_stands_above_it(above: str, end: str) -> None:
    text = f"{above}\n\nWe keep the orders\nin PostgreSQL.\n\nMore of it.\n".replace("\n", end)
    assert first_paragraph(text) == f"We keep the orders{end}in PostgreSQL."


def test_the_rest_of_a_text_begins_with_its_first_prose_or_list() -> None:
    assert from_first_prose("### Two tiers\n\nWe keep two.\n\n- one\n- two\n") == "We keep two.\n\n- one\n- two"
    assert from_first_prose("\n- one\n- two\n\nSo much.\n") == "- one\n- two\n\nSo much."
    assert from_first_prose("Note: it holds for tests, too.\n") == "Note: it holds for tests, too."
    assert from_first_prose("Use it") == "Use it"


@pytest.mark.parametrize("text", ["", "# A title\n", "[a]: #b\n\n---\n", "Accepted\n", "- one\n- two\n", "```\nx\n"])
def test_a_text_without_prose_has_no_first_paragraph(text: str) -> None:
    assert first_paragraph(text) == ""


def test_a_long_text_without_prose_takes_no_time() -> None:
    assert first_paragraph("<!-- " * 20_000 + "\n```\n\n" * 20_001 + "```x\n" * 20_000) == ""
