"""Which sections a record is said to lack: those whose absence is a clear lapse by its collection's own practice."""

from __future__ import annotations

import pytest

from tests.unit.core.records.records_kit import adr, records

SECTIONS = (
    "Summary",
    "Motivation",
    "Detailed design",
    "Drawbacks",
    "Adoption strategy",
    "Future work",
    "References",
)
PROPOSAL = "---\ntitle: {title}\nstatus: accepted\n---\n\n" + "\n".join(
    f"# {section}\n\nWater turns it.\n" for section in SECTIONS
)


def without(text: str, *sections: str) -> str:
    for section in sections:
        assert f"# {section}\n\nWater turns it.\n" in text
        text = text.replace(f"# {section}\n\nWater turns it.\n", "")
    return text


def missing(changed: str, at: int = 9, **more: str) -> tuple[str, ...]:
    """Return what the record of that number lacks if it reads as *changed*, and the eight others are complete."""
    files = {f"text/000{number}-gate.md": PROPOSAL.format(title=f"Gate {number}") for number in range(1, 10)}
    return records({**files, f"text/000{at}-gate.md": changed.format(title="Weir"), **more})[
        f"text/000{at}-gate.md"
    ].missing


def test_a_part_of_a_decision_that_nearly_all_others_have_is_missing_and_a_section_of_their_own_is_not() -> None:
    assert missing(without(PROPOSAL, "Drawbacks", "Adoption strategy")) == ("Drawbacks",)


def test_a_record_older_than_the_first_with_a_section_does_not_lack_it() -> None:
    assert missing(without(PROPOSAL, "Drawbacks"), at=1) == ()
    assert missing(without(PROPOSAL, "Drawbacks"), at=2) == ("Drawbacks",)


def test_sections_at_will_are_never_missing() -> None:
    assert missing(without(PROPOSAL, "Future work", "References")) == ()


@pytest.mark.parametrize("heading", ["What are the drawbacks", "A drawback"])
def test_a_heading_with_the_telling_word_of_a_section_serves_for_it(heading: str) -> None:
    assert missing(without(PROPOSAL, "Drawbacks") + f"\n# {heading}\n\nx\n") == ()


def test_a_word_that_any_section_may_have_does_not_serve_for_one() -> None:
    assert missing(without(PROPOSAL, "Drawbacks") + "\n# Release strategy\n\nx\n") == ("Drawbacks",)


def test_the_matter_of_a_proposal_may_stand_under_headings_of_its_own_or_in_its_summary() -> None:
    assert missing(without(PROPOSAL, "Detailed design")) == ()
    assert missing(without(PROPOSAL, "Motivation") + "\n# How the water runs\n\nx\n") == ()


def test_a_decision_that_has_only_the_sections_of_the_others_lacks_its_decision() -> None:
    files = {f"docs/adr/000{at}-mill.md": adr(at, f"Mill {at}") for at in range(1, 7)}
    bare = adr(7, "Bare").replace("## Decision\n\nWe repair it.\n", "")
    path = "docs/adr/0007-bare.md"
    assert records({**files, path: bare})[path].missing == ("Decision",)
    assert records({**files, path: f"{bare}\n## Preferred way\n\nWe repair it.\n"})[path].missing == ()


def test_a_section_that_the_template_does_not_ask_for_is_not_missing() -> None:
    asks = without(PROPOSAL, "Adoption strategy").format(title="Your title")
    lacking = without(PROPOSAL, "Drawbacks", "Adoption strategy")
    assert missing(lacking, **{"text/0000-template.md": asks}) == ("Drawbacks",)
    optional = asks.replace("# Drawbacks", "# Drawbacks (optional)")
    assert missing(lacking, **{"text/0000-template.md": optional}) == ()


def test_another_collections_template_asks_nothing_of_this_one() -> None:
    foreign = "# Title\n\n## Status\n\n## Context\n\n## Decision\n"
    assert missing(without(PROPOSAL, "Drawbacks"), **{"template.md": foreign}) == ("Drawbacks",)


def test_a_record_in_an_archive_lacks_nothing() -> None:
    files = {f"docs/adr/000{at}-mill.md": adr(at, f"Mill {at}") for at in range(1, 7)}
    bare = adr(7, "Bare").replace("## Consequences\n\nIt turns.\n", "")
    for folder, lacks in (("docs/adr", ("Consequences",)), ("docs/adr/archive", ())):
        assert records({**files, f"{folder}/0007-bare.md": bare})[f"{folder}/0007-bare.md"].missing == lacks


def test_a_record_that_says_in_one_place_that_it_is_superseded_is() -> None:
    files = {f"docs/adr/000{at}-mill.md": adr(at, f"Mill {at}") for at in range(1, 4)}
    text = adr(4, "Stones").replace(
        "Date: 2021-03-04\n", "- Date: 2021-03-04\n- Status: superseded (not being built)\n"
    )
    assert "## Status\n\nAccepted" in text
    assert records({**files, "docs/adr/0004-stones.md": text})["docs/adr/0004-stones.md"].status == "superseded"


def test_a_record_of_a_form_of_its_own_lacks_nothing() -> None:
    own = "\n# The wheel\n\nx\n\n# What the miller gains\n\nx\n\n# Caveats\n\nx\n"
    lacking = without(PROPOSAL, "Drawbacks", "Adoption strategy", "Future work", "References", "Motivation")
    assert "Drawbacks" in missing(lacking)
    assert missing(lacking + own) == ()
    assert missing(without(PROPOSAL, "Drawbacks") + own) == ("Drawbacks",)


def test_a_section_that_a_comment_in_the_template_calls_optional_is_not_missing() -> None:
    lacking = without(PROPOSAL, "Drawbacks")
    asks = PROPOSAL.format(title="Your title").replace(
        "# Drawbacks", "<!-- This is an optional element. Feel free to remove. -->\n# Drawbacks"
    )
    assert missing(lacking, **{"text/0000-template.md": asks}) == ()
    elsewhere = asks.replace("\n# Drawbacks", "\nx\n\n# Drawbacks")
    assert missing(lacking, **{"text/0000-template.md": elsewhere}) == ("Drawbacks",)


@pytest.mark.parametrize("title", ["Consequences", "Negative Consequences"])
def test_madr_leaves_consequences_at_will(title: str) -> None:
    form = "# Mill {0}\n\n## Context\n\nx\n\n## Considered Options\n\nEither.\n\n## Decision Outcome\n"
    files = {f"docs/adr/000{at}-mill.md": f"{form.format(at)}\nx\n\n### {title}\n\nx\n" for at in range(1, 7)}
    path = "docs/adr/0007-mill.md"
    assert records({**files, path: form.format(7)})[path].missing == ()
    assert records({**files, path: f"{form.format(7)}".replace("## Considered Options", "## x")})[path].missing == (
        "Considered Options",
    )


def test_a_record_without_context_or_motivation_lacks_nothing() -> None:
    files = {f"docs/adr/000{at}-mill.md": adr(at, f"Mill {at}") for at in range(1, 7)}
    bare = adr(7, "Bare").replace("## Context\n\nThe mill is old.\n", "")
    assert records({**files, "docs/adr/0007-bare.md": bare})["docs/adr/0007-bare.md"].missing == ()
    assert missing(without(PROPOSAL, "Motivation")) == ()


def test_parts_of_a_section_serve_for_it() -> None:
    files = {f"docs/adr/000{at}-mill.md": adr(at, f"Mill {at}") for at in range(1, 7)}
    parts = adr(7, "Bare").replace("## Consequences\n", "## Positive\n\nIt turns.\n\n## Negative\n")
    assert records({**files, "docs/adr/0007-bare.md": parts})["docs/adr/0007-bare.md"].missing == ()


@pytest.mark.parametrize(
    ("readme", "lacks"),
    [
        ("# Mill\n\n**This repository is archived.**\n", ()),
        ("# Mill\n\nThe RFC process is now ended.\n", ()),
        ("# Mill\n\nThis repository is where old gates are archived.\n", ("Drawbacks",)),
    ],
)
def test_a_project_that_is_closed_lacks_nothing(readme: str, lacks: tuple[str, ...]) -> None:
    assert missing(without(PROPOSAL, "Drawbacks"), **{"README.md": readme}) == lacks


@pytest.mark.parametrize(("words", "lacks"), [(10, ("Consequences",)), (400, ())])
def test_a_record_that_tells_all_in_prose_lacks_no_section(words: int, lacks: tuple[str, ...]) -> None:
    files = {f"docs/adr/000{at}-mill.md": adr(at, f"Mill {at}") for at in range(1, 7)}
    text = f"# 7. Bare\n\nDate: 2021-03-07\n\n## Status\n\nAccepted\n\n## Decision\n\n{'It turns. ' * words}\n"
    assert records({**files, "docs/adr/0007-bare.md": text})["docs/adr/0007-bare.md"].missing == lacks


@pytest.mark.parametrize(("says", "lacks"), [("None.", ()), ("Much water is needed.", ("Drawbacks",))])
def test_a_section_in_which_most_say_nothing_is_not_missing(says: str, lacks: tuple[str, ...]) -> None:
    silent = PROPOSAL.replace("# Drawbacks\n\nWater turns it.\n", f"# Drawbacks\n\n{says}\n")
    others = {f"text/000{at}-gate.md": silent.format(title=f"Gate {at}") for at in range(1, 5)}
    assert missing(without(PROPOSAL, "Drawbacks"), **others) == lacks
