"""Whatever words a record uses for where it stands, they are understood."""

from __future__ import annotations

import pytest

from autology.text.adr.record import parse

BODY = "# Use X\n\n{}\n\n## Context\n\nx\n\n## Decision\n\nReplaced and rejected things are open.\n"


@pytest.mark.parametrize(
    ("says", "status", "words"),
    [
        ("", "accepted", None),
        ("Status: Approved", "accepted", "Approved"),
        ("Status: ready-for-release", "accepted", "ready-for-release"),
        ("Status: ready_for_review", "proposed", "ready_for_review"),
        ("* Status: accepted", "accepted", "accepted"),
        ("**Status:** Draft", "proposed", "Draft"),
        ("**Status**: proposed", "proposed", "proposed"),
        ("**Status** Declined", "rejected", "Declined"),
        ("> Status: *Deprecated*", "deprecated", "Deprecated"),
        ("| Status | Accepted |\n| --- | --- |", "accepted", "Accepted"),
        ("## Status\n\nPROPOSED", "proposed", "PROPOSED"),
        ("## Status: Rejected", "rejected", "rejected"),
        ("Status\n------\n\nSuperceded entirely by [0072-x](0072-x.md)", "superseded", "Superceded entirely by 0072-x"),
        ("## Status\n\nSuperseded by [ADR 14](0014-y.md)", "superseded", "Superseded by ADR 14"),
        ("## Status\n\nAccepted\n\nSuperseded by [2. Use it](0002-y.md)", "superseded", "Superseded by 2. Use it"),
        ("## Status\n\n~~Proposed~~ Accepted", "accepted", "Accepted"),
        ("## Status\n\nProposed → Accepted", "accepted", "Accepted"),
        ("## Status\n\n- [ ] Proposed\n- [x] Accepted", "accepted", "Accepted"),
        ("## Status\n\nProposed 2020-01-01\n\nRejected 2020-02-01", "rejected", "Rejected 2020-02-01"),
        ("## Status\n\n2020-01-01: accepted", "accepted", "2020-01-01: accepted"),
        ("## Status\n\nThis was accepted by the board.", "accepted", "This was accepted by the board."),
        ("## Status\n\nAccepted, supersedes ADR 3", "accepted", "Accepted, supersedes ADR 3"),
        (
            "## Status\n\nAccepted (partially superseded by ADR-9)",
            "accepted",
            "Accepted (partially superseded by ADR-9)",
        ),
        ("## Status\n\nAccepted. ADR 3 is superseded by this.", "accepted", "Accepted. ADR 3 is superseded by this."),
        ("## Status\n\nAccepted, to be superseded later", "accepted", "Accepted, to be superseded later"),
        ("## Status\n\nNot accepted", "rejected", "Not accepted"),
        ("## Status\n\nNot yet accepted", "proposed", "Not yet accepted"),
        ("## Status\n\nNo longer accepted", "deprecated", "No longer accepted"),
        ("## Status\n\non hold", "proposed", "on hold"),
        ("## Status\n\nReplaced by ADR 4", "superseded", "Replaced by ADR 4"),
        ("## Status\n\nAngenommen", "accepted", "Angenommen"),
        ("## Status\n\nProposed | Accepted | Rejected | Superseded", "accepted", None),
        ("## Status\n\n{proposed | accepted}", "accepted", None),
        ("## Status\n\nSTATUS", "accepted", None),
        ("## Status codes\n\nRejected requests have code 400.", "accepted", None),
        ("## Status\n\nFrobnicated", "proposed", "Frobnicated"),
        ("![status: rejected](https://img.example/badge/status-rejected-red)", "rejected", "rejected"),
        (
            "[![s](https://img.example/badge/status-superseeded_by_ADR_0004-orange.svg)](0004-y.md)",
            "superseded",
            "superseeded by ADR 0004",
        ),
        ("Superseded: 2019-12-19 by [ADR 14](0014-y.md)", "superseded", "superseded: 2019-12-19 by ADR 14"),
        ("```\nStatus: rejected\n```", "accepted", None),
    ],
)
def test_a_stated_status_is_understood(says: str, status: str, words: str | None) -> None:
    record = parse(BODY.format(says), "docs/adr/0001-x.md")
    assert (record.decision_status, record.stated_status) == (status, words)


@pytest.mark.parametrize(
    ("value", "status"),
    [
        ("accepted", "accepted"),
        ('"superseded by ADR-0123"', "superseded"),
        ("superseded by [ADR-0005](0005-example.md)", "superseded"),
        ("[draft]", "proposed"),
        ('"{proposed | rejected | accepted | deprecated}"', "accepted"),
    ],
)
def test_a_status_in_the_frontmatter_counts(value: str, status: str) -> None:
    text = f"---\nStatus: {value}\n---\n# Use X\n"
    assert parse(text, "docs/adr/0001-x.md").decision_status == status
