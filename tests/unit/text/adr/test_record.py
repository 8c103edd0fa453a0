"""A decision record is read for what it says, and its text rebuilt to the letter."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.text.adr.record import Record, original, parse

NYGARD = """# 7. Keep sessions in Redis

Date: 2021-03-04

## Status

Accepted

## Context

Sessions are lost on deploy.

## Decision

We will keep sessions in Redis, see `app/sessions/store.py`.

## Alternatives

Sticky sessions.

## Consequences

One more service to run.
"""


def read(text: str, path: str = "docs/adr/0007-x.md") -> Record:
    record = parse(text, path)
    assert original(record.frontmatter, record.lead, record.content) == text
    assert 1 <= len(record.title) <= 100
    return record


def test_a_nygard_record_is_read() -> None:
    record = read(NYGARD)
    assert (record.title, record.number, record.date) == ("Keep sessions in Redis", 7, "2021-03-04")
    assert (record.decision_status, record.stated_status) == ("accepted", "Accepted")
    assert record.lead == "# 7. Keep sessions in Redis\n\n"
    assert record.content.startswith("Date: 2021-03-04\n")
    assert (record.is_record, record.missing) == (True, ())
    assert record.mentions == ("app/sessions/store.py",)


def test_a_madr_record_is_read() -> None:
    record = read(
        "---\nstatus: superseded by [ADR-0009](0009-y.md)\ndate: 2022-05-06\ntags: [storage, Redis]\n---\n\n"
        "# Keep sessions in Redis\n\n## Context and Problem Statement\n\nLost.\n\n## Considered Options\n\n* Redis\n\n"
        "## Decision Outcome\n\nChosen option: Redis.\n\n### Consequences\n\n* Good, because fast\n"
    )
    assert (record.title, record.number, record.date) == ("Keep sessions in Redis", 7, "2022-05-06")
    assert (record.decision_status, record.tags) == ("superseded", ("storage", "Redis"))
    assert [(link.kind, link.target) for link in record.links] == [("superseded_by", "0009-y.md")]
    assert record.frontmatter.endswith("---\n")
    assert record.lead == "\n# Keep sessions in Redis\n\n"
    assert record.missing == ()


def test_an_older_madr_and_a_log4brains_record_are_read() -> None:
    record = read(
        "# Keep sessions in Redis\n\n* Status: draft\n* Deciders: A, B\n* Date: 2021/03/04\n- Tags: infra, cache\n\n"
        "## Links\n\n* Amends [20210101-caching](20210101-caching.md)\n",
        "docs/adr/20210304-keep-sessions-in-redis.md",
    )
    assert (record.number, record.date, record.decision_status) == (20210304, "2021-03-04", "proposed")
    assert record.tags == ("infra", "cache")
    assert [(link.kind, link.target) for link in record.links] == [("amends", "20210101-caching.md")]


def test_a_y_statement_is_a_record() -> None:
    record = read(
        "In the context of the shop, facing slow pages, we decided for a cache and neglected faster disks, "
        "to achieve quick answers, accepting stale prices.\n",
        "notes/caching.md",
    )
    assert (record.is_record, record.missing, record.title) == (True, (), "Caching")


@pytest.mark.parametrize(
    ("heading", "path", "title", "number"),
    [
        ("# 1. Use X", "a/0001-use-x.md", "Use X", 1),
        ("# 12: Use X", "a/x.md", "Use X", 12),
        ("# ADR-012: Use X", "a/x.md", "Use X", 12),
        ("# ADR 12 – Use X", "a/x.md", "Use X", 12),
        ("# ADR12 Use X", "a/x.md", "Use X", 12),
        ("# RFC 12 - Use X", "a/0012-x.md", "Use X", 12),
        ("# Architecture Decision Record: Use X", "a/adr-003-x.md", "Use X", 3),
        ("# Architectural Decision Record 3: Use X", "a/x.md", "Use X", 3),
        ("# ADR: Use X", "a/ADR-12.md", "Use X", 12),
        ("# 0004 Use X", "a/0004-x.md", "Use X", 4),
        ("# Use X", "a/1.md", "Use X", 1),
        ("# Use X", "a/2024-01-31-use-x.md", "Use X", 20240131),
        ("# ADR-5: Use X", "a/20240131-use-x.md", "Use X", 5),
        ("# **Use** [X](http://x.y/z_(a)) and `a_b` *now*", "a/x.md", "Use X and a_b now", None),
        ("# Use snake_case_names and __init__", "a/x.md", "Use snake_case_names and init", None),
        ("# Use X [![ci](a.svg)](b)", "a/x.md", "Use X", None),
        ("# Use\u202e X\x07\u200b <!-- why -->", "a/x.md", "Use X", None),
        ("Use X\n=====", "a/x.md", "Use X", None),
        ("## Use X ##", "a/x.md", "Use X", None),
        ("# 12 factor apps", "a/0003-x.md", "12 factor apps", 3),
        ("# RFC 7231 semantics", "a/0003-x.md", "RFC 7231 semantics", 3),
        ("# RFC 7231: semantics", "a/0003-x.md", "RFC 7231: semantics", 3),
        ("# ADR 8 revisited", "a/0013-x.md", "ADR 8 revisited", 13),
        ("# 2.x is gone", "a/x.md", "2.x is gone", None),
        ("# ADR-12", "a/x.md", "ADR-12", 12),
    ],
)
def test_a_title_is_cleaned_of_its_number_and_of_markup(heading: str, path: str, title: str, number: int) -> None:
    record = read(f"{heading}\n\nText.\n", path)
    assert (record.title, record.number, record.content) == (title, number, "Text.\n")


@pytest.mark.parametrize(
    ("text", "path", "title"),
    [
        ("Text.\n", "docs/adr/0012-use-some_thing.md", "Use some thing"),
        ("Text.\n", "docs/adr/0012.md", "0012"),
        ("---\ntitle: 'ADR-12: Use X'\n---\nText.\n", "docs/adr/0012-y.md", "Use X"),
        ("## Status\n\nAccepted\n\n## Context\n\nx\n", "docs/adr/0012-y.md", "Y"),
        ("# \n\n## Context\n", "docs/adr/0012-y.md", "Y"),
        ("# <!-- title -->\n\nx\n", "docs/adr/0012-y.md", "Y"),
        ("", "", "Untitled"),
    ],
)
def test_without_a_heading_the_title_comes_from_the_frontmatter_or_the_files_name(
    text: str, path: str, title: str
) -> None:
    record = read(text, path)
    assert (record.title, record.lead) == (title, "")


def test_a_long_title_is_cut_at_a_word_and_its_heading_kept() -> None:
    words = "word " * 40
    record = read(f"# {words}\n\nText.\n")
    assert record.title.endswith("word…")
    assert (record.lead, record.full_title) == ("", words.strip())
    assert read(f"# {'x' * 300}\n").title == "x" * 99 + "…"


def test_a_heading_that_is_not_first_stays_in_the_content() -> None:
    record = read("> Moved elsewhere.\n\n# Use X\n\nText.\n")
    assert (record.title, record.lead) == ("Use X", "")
    assert record.content.startswith("> Moved")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_marks_survive(newline: str, mark: str) -> None:
    record = read(mark + NYGARD.replace("\n", newline))
    assert (record.title, record.date, record.missing) == ("Keep sessions in Redis", "2021-03-04", ())
    assert record.lead == mark + "# 7. Keep sessions in Redis" + newline * 2


def test_two_rules_with_prose_between_them_are_no_frontmatter() -> None:
    record = read("---\nOnly prose here.\n---\n# Use X\n")
    assert (record.frontmatter, record.content) == ("", "---\nOnly prose here.\n---\n# Use X\n")


def test_frontmatter_that_is_no_yaml_is_read_line_by_line() -> None:
    record = read("---\nauthor: @me\nstatus: rejected\ndate: 2020-01-02\n---\n# Use X\n")
    assert (record.decision_status, record.date, record.title) == ("rejected", "2020-01-02", "Use X")
    assert record.frontmatter.startswith("---\nauthor: @me")


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("Date: 2019-01-21", "2019-01-21"),
        ("* Date: 2019/01/21", "2019-01-21"),
        ("**Date:** 21 January 2019", "2019-01-21"),
        ("**Date**: January 21st, 2019", "2019-01-21"),
        ("| Date | Jan 21, 2019 |", "2019-01-21"),
        ("Date: 2019-01-21T10:00:00Z", "2019-01-21"),
        ("Status: Accepted 2019-01-21", "2019-01-21"),
        ("Status: Accepted on 21 January 2019", "2019-01-21"),
        ("Accepted: 2019-01-21", "2019-01-21"),
        ("Date: 2019-13-45", None),
        ("Date: 03/04/2019", None),
        ("Status: superseded 2019-01-21 by ADR 9", None),
        ("Last built 2019-01-21.", None),
    ],
)
def test_a_date_is_read_in_each_of_its_forms(line: str, day: str | None) -> None:
    assert read(f"# Use X\n\n{line}\n\n## Context\n\nSince 1999-01-01.\n").date == day


@pytest.mark.parametrize(
    ("path", "text", "is_record"),
    [
        ("docs/adr/0001-x.md", "# X\n\nAnything.\n", True),
        ("docs/adr/0014-project-templates.md", "# Project templates\n\nAnything.\n", True),
        ("docs/adr/README.md", NYGARD, False),
        ("docs/adr/index.md", NYGARD, False),
        ("docs/adr/0000-template.md", NYGARD, False),
        ("docs/adr/adr-template.md", NYGARD, False),
        ("docs/templates/0001-x.md", NYGARD, False),
        ("docs/adr/0002-x.md", "# {short title}\n\n## Decision\n\nx\n", False),
        ("docs/adr/0002-x.md", "# NUMBER. TITLE\n\nDate: DATE\n", False),
        ("docs/anything.md", NYGARD, True),
        ("docs/0001-x.md", "# X\n\nAnything.\n", False),
        ("docs/guide.md", "# Guide\n\n## Installation\n\nx\n", False),
        ("docs/setup.md", "# Setup\n\n## Background\n\nx\n", False),
        ("docs/decide.md", "# X\n\nStatus: accepted\n\n## Decision\n\nWe do.\n", True),
    ],
)
def test_a_record_is_distinguished_from_a_readme_a_guide_and_a_template(path: str, text: str, is_record: bool) -> None:
    assert read(text, path).is_record is is_record


def test_only_file_paths_are_mentions() -> None:
    record = read(
        "# X\n\nSee src/a/b.py, `lib/foo.rb:12`, `app/models`, ./tools/run.sh, app/views/ and setup.py;\n"
        "and/or, 1/2, e.g. this,\n"
        "Node.js at https://example.com/a/b.py, [code](../../src/c%20d.go#L3), [r][r],\n"
        "`../../x/y.ts`, src\\win\\f.cs.\n\n"
        "[r]: ../guide.md\n\n```\nsrc/not/me.py\n```\n"
    )
    assert " ".join(mention.replace(" ", "%20") for mention in record.mentions) == (
        "src/a/b.py lib/foo.rb app/models tools/run.sh app/views setup.py Node.js src/c%20d.go x/y.ts docs/guide.md"
    )


def test_mentions_never_leave_the_project() -> None:
    assert read(
        "# X\n\n[a](../../../etc/passwd) `../../../../etc/hosts.txt` [b](/srv/a.py) `/etc/b.conf`\n"
    ).mentions == (
        "srv/a.py",
        "etc/b.conf",
    )


pieces = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(
            [
                "\n",
                "\r\n",
                "\r",
                "---\n",
                "# T\n",
                "## Status\n",
                "Status: ",
                "a: b\n",
                "===\n",
                "\ufeff",
                "```\n",
                "<!--",
                "`",
                "[x](0002-y.md)",
                "ADR-3",
                "Superseded by ",
                "supersedes ",
                "word " * 30,
                "| ",
                "- ",
                "1. ",
                "{",
                "\ue000",
                "src/a.py ",
            ]
        ),
    ),
    max_size=30,
).map("".join)


@given(pieces, st.sampled_from(["docs/adr/0001-x.md", "x.md", "", "a/b"]))
def test_any_record_text_can_be_rebuilt(text: str, path: str) -> None:
    record = read(text, path)
    assert record.title.strip() == record.title
    assert not any(mention.startswith(("/", "..")) for mention in record.mentions)


@pytest.mark.parametrize(
    "unit",
    [
        "ADR-1 ",
        "superseded ",
        "Superseded by ADR-5, ",
        "- ADR-5\n",
        "[",
        "[a](b.md) ",
        "`a` ",
        "1. ",
        "**a** ",
        "a/",
        "## Context\n",
        "in the context of ",
        "Status: accepted\n",
        "\n",
        "<!--",
        "21 January ",
        "![a](",
        "> ",
        "| a ",
        "{",
        "_a ",
    ],
)
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    # 100,000 characters read quadratically would take minutes; they take under a second.
    began = time.process_time()
    read("# T\n\n## Status\n" + unit * (100_000 // len(unit)))
    read(unit * (100_000 // len(unit)))
    assert time.process_time() - began < 20
