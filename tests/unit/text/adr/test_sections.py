"""What a decision lacks is named, whatever its sections are called."""

from __future__ import annotations

import pytest

from autology.text.adr.sections import PARTS, missing_sections

WAYS = {
    "Context": [
        "## Context",
        "## Context and Problem Statement",
        "# Motivation",
        "### 1. Background",
        "## Problem",
        "**Context**",
        "## *Context*:",
    ],
    "Decision": [
        "## Decision",
        "## Decision Outcome",
        "## Proposed solution",
        "## The decision",
        "**Decision:**",
        "## II. Decision",
        "Decision:",
    ],
    "Alternatives": [
        "## Alternatives",
        "## Considered Options",
        "## Pros and Cons of the Options",
        "## Option 1: Redis",
        "## Rejected alternatives",
    ],
    "Consequences": [
        "## Consequences",
        "## Implications",
        "## Trade-offs and mitigations",
        "### Positive Consequences",
        "## Risks",
    ],
}


@pytest.mark.parametrize(
    ("part", "heading"), [(part, heading) for part, headings in WAYS.items() for heading in headings]
)
def test_a_section_is_recognised_under_many_headings(part: str, heading: str) -> None:
    assert part not in missing_sections(f"Words.\n\n{heading}\n\nSomething is said.\n")


def test_plain_prose_lacks_all_sections() -> None:
    assert missing_sections("We use Redis because of the context, with consequences.") == PARTS
    assert missing_sections("") == PARTS


def test_a_heading_over_nothing_is_missing() -> None:
    text = "## Context\n\n<!-- why -->\n\n## Decision\n\nTBD\n\n## Alternatives\n\n{options}\n\n## Consequences\n\n[a]: http://x.y\n"
    assert missing_sections(text) == PARTS


def test_a_section_may_say_all_in_its_subsections_or_in_code() -> None:
    text = "## Context\n\n### Why\n\nSlow.\n\n## Decision\n\n```\nuse: redis\n```\n"
    assert missing_sections(text) == ("Alternatives", "Consequences")


def test_one_heading_can_name_two_sections() -> None:
    assert missing_sections("## Context and decision\n\nSlow, so Redis.\n") == ("Alternatives", "Consequences")
    assert missing_sections("## Pros and cons\n\nFast.\n") == ("Context", "Decision")


def test_decision_drivers_are_no_decision_and_a_title_no_section() -> None:
    assert missing_sections("# Options for the decision\n\nx\n\n## Decision Drivers\n\nSpeed\n") == PARTS


def test_headings_in_code_tell_nothing() -> None:
    assert missing_sections("```\n## Context\n\nx\n```\n") == PARTS


def test_a_y_statement_tells_its_parts() -> None:
    statement = "In the context of **the shop**, facing slow pages, we decided for a cache"
    assert missing_sections(statement + ".") == PARTS
    assert missing_sections(statement + ", to achieve speed.") == ("Alternatives",)
    assert missing_sections(statement + " and neglected disks, to achieve speed, accepting stale prices.") == ()
