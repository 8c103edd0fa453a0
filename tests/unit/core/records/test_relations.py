"""Links between records: what their fields, their status and their words say."""

from __future__ import annotations

import pytest

from autology.core.records.collection import LinkKind
from tests.unit.core.records.records_kit import adr, adrs, records
from tests.unit.core.records.test_conventions import peps

FIRST, SECOND, THIRD = sorted(adrs())


def test_a_field_of_the_older_record_is_read_from_both_sides() -> None:
    read = records(peps("Superseded-By: 3"))
    assert read["peps/pep-0003.rst"].targets(LinkKind.SUPERSEDES) == ("peps/pep-0001.rst",)
    assert read["peps/pep-0001.rst"].targets(LinkKind.SUPERSEDED_BY) == ("peps/pep-0003.rst",)


def test_numbers_in_a_sentence_about_what_is_replaced_are_no_records() -> None:
    value = "Replaces: the model that the guide describes in §1 (a corpus of 2 dicts and dataclasses)"
    assert records(peps("", value))["peps/pep-0002.rst"].targets(LinkKind.SUPERSEDES) == ()


def test_a_revision_of_a_document_is_no_record_of_its_number() -> None:
    value = "Replaces: rev 1 of this document"
    assert records(peps("", value))["peps/pep-0002.rst"].targets(LinkKind.SUPERSEDES) == ()


def test_a_numbered_file_that_a_role_names_is_linked() -> None:
    line = "Replaces: the oldest portions of :doc:`pep-0001`"
    assert records(peps("", line))["peps/pep-0002.rst"].targets(LinkKind.RELATES_TO) == ("peps/pep-0001.rst",)


def test_a_row_of_a_table_speaks_of_what_its_other_cells_name() -> None:
    table = "| Choice | Why | Where |\n|---|---|---|\n| Flour | Sold | `Sell flour` (supersedes ADR-1) |\n"
    read = records(adrs() | {THIRD: adr(3, "Sell flour", more=f"\n{table}")})
    assert read[THIRD].targets(LinkKind.SUPERSEDES) == ()


def test_a_required_record_is_depended_on() -> None:
    assert records(peps("", "Requires: 1"))["peps/pep-0002.rst"].targets(LinkKind.DEPENDS_ON) == ("peps/pep-0001.rst",)


def test_a_status_section_says_what_replaced_the_record() -> None:
    files = adrs() | {FIRST: adr(1, "Grind by water", "Superseded by [3. Sell flour](0003-sell-flour-on-fridays.md)")}
    read = records(files)
    assert read[FIRST].status == "superseded"
    assert read[THIRD].targets(LinkKind.SUPERSEDES) == (FIRST,)


def test_a_record_that_is_replaced_in_part_is_only_related() -> None:
    read = records(adrs() | {THIRD: adr(3, "Sell flour", more="This partially supersedes ADR-1.")})
    assert read[THIRD].targets(LinkKind.SUPERSEDES) == ()


def test_a_link_to_a_pull_request_of_a_records_number_is_not_one_to_the_record() -> None:
    more = "See [#1](https://github.com/mill/mill/pull/1)."
    assert records(adrs() | {SECOND: adr(2, "Keep stones", more=more)})[SECOND].links == ()


def _decisions_and_requests(more: str) -> dict[str, str]:
    """Return two collections whose numbers both begin at 1; ADR 2 says *more*."""
    decisions = {f"docs/adr/adr-{at:03}-wheel.md": adr(at, f"ADR {at:03}: Wheel") for at in (1, 2, 3)}
    requests = {f"docs/rfc/rfc-{at:03}-stone.md": adr(at, f"RFC {at:03}: Stone") for at in (1, 2, 3)}
    return {**decisions, **requests, "docs/adr/adr-002-wheel.md": adr(2, "ADR 002: Wheel", more=more)}


def test_a_record_that_names_itself_is_not_related_to_another_collections_record_of_its_number() -> None:
    read = records(_decisions_and_requests("This ADR 002 is short."))
    assert len(read) == 6
    assert not any(record.links for record in read.values())


def test_a_mention_means_the_record_that_has_its_prefix() -> None:
    (link,) = records(_decisions_and_requests("Built on ADR 003."))["docs/adr/adr-002-wheel.md"].links
    assert link.target == "docs/adr/adr-003-wheel.md"


def test_the_label_of_a_link_to_another_project_names_no_record_of_this_one() -> None:
    more = "Follows [ADR 003](https://example.org/other/mill/blob/main/docs/003-sieve.md). ADR 3 is long."
    assert records(_decisions_and_requests(more))["docs/adr/adr-002-wheel.md"].links == ()


def test_a_mention_in_the_text_is_a_relation() -> None:
    more = "As in [the first](0001-grind-by-water.md) and https://github.com/mill/mill/blob/main/docs/adr/0003-sell-flour-on-fridays.md."
    read = records(adrs() | {SECOND: adr(2, "Keep stones", more=more)})
    assert read[SECOND].targets(LinkKind.RELATES_TO) == (FIRST, THIRD)
    assert read[FIRST].links == ()


def test_records_without_statuses_are_superseded_by_the_words_of_their_successors() -> None:
    form = "# Grind by {0}\n\n- Start Date: 2020-01-02\n\n## Motivation\n\n{1}\n\n## Drawbacks\n\n## Alternatives\n"
    files = {
        "rfcs/0001-water.md": form.format("water", ""),
        "rfcs/0002-wind.md": form.format("wind", "This RFC supersedes [RFC 1](0001-water.md)."),
        "rfcs/0003-oxen.md": form.format("oxen", "This may replace [RFC 2](0002-wind.md) one day."),
    }
    read = records(files)
    assert [record.status for record in read.values()] == ["superseded", "accepted", "accepted"]
    assert read["rfcs/0003-oxen.md"].links[0].kind is LinkKind.RELATES_TO


def test_two_records_that_replace_each_other_are_only_related() -> None:
    read = records(peps("Superseded-By: 2", "Superseded-By: 1"))
    assert {link.kind for record in read.values() for link in record.links} == {LinkKind.RELATES_TO}


@pytest.mark.parametrize(
    ("words", "replaces"),
    [
        ("This supercedes and replaces [Grind by\nwater](../old/0001-water.md).", True),
        ("**This RFC supersedes the original [RFC 1](0001-water.md).**", True),
        ("This proposal replaces 0001-water, [described earlier](0001-water.md).", False),
        ("This replaces the stone of [the first mill](0001-water.md).", False),
        ("Replaced by [RFC 1](0001-water.md), as are all hand mills.", False),
        ("Wind would supersede [RFC 1](0001-water.md).", False),
    ],
)
def test_a_proposal_with_a_status_replaces_what_a_paragraph_about_itself_names(words: str, replaces: bool) -> None:
    form = "---\nstatus: accepted\nstart-date: 2020-01-0{0}\n---\n\n# Grind by {1}\n\nWell.\n\n{2}\n\n## Motivation\n"
    names = ("water", "wind", "oxen")
    files = {
        f"rfcs/000{at}-{name}.md": form.format(at, name, words if at == 2 else "") for at, name in enumerate(names, 1)
    }
    expected = ("rfcs/0001-water.md",) if replaces else ()
    assert records(files)["rfcs/0002-wind.md"].targets(LinkKind.SUPERSEDES) == expected


def test_a_proposal_with_a_status_is_superseded_by_what_its_text_says_of_itself() -> None:
    form = "---\nstatus: accepted\nstart-date: 2020-01-0{0}\n---\n\n{2}\n\n# Grind by {1}\n\n## Motivation\n"
    names = ("water", "wind", "oxen")
    files = {
        f"rfcs/000{at}-{name}.md": form.format(at, name, "> Superseded by [RFC 2](0002-wind.md)." if at == 1 else "")
        for at, name in enumerate(names, 1)
    }
    assert records(files)["rfcs/0001-water.md"].targets(LinkKind.SUPERSEDED_BY) == ("rfcs/0002-wind.md",)


@pytest.mark.parametrize(
    ("words", "status", "superseded"),
    [
        ("The sketch is withdrawn.\n\nReplaced by [2](0002-keep-the-old-stones.md).", "Accepted", False),
        ("Superseded by [2](0002-keep-the-old-stones.md).", "Accepted", True),
        ("Replaced by [2](0002-keep-the-old-stones.md).", "Draft", True),
    ],
)
def test_what_replaced_something_in_an_accepted_record_does_not_replace_the_record(
    words: str, status: str, superseded: bool
) -> None:
    read = records(adrs() | {THIRD: adr(3, "Sell flour", status, more=f"\n{words}\n")})[THIRD]
    assert [link.kind for link in read.links] == [LinkKind.SUPERSEDED_BY if superseded else LinkKind.RELATES_TO]


@pytest.mark.parametrize(
    ("words", "wording"),
    [
        ("Amends [1. Grind by water](0001-grind-by-water.md)", "amends"),
        ("Amended by [1](0001-grind-by-water.md)", "amended by"),
        ("This record extends [1](0001-grind-by-water.md).", "extends"),
        ("This ADR in part supersedes [0001](0001-grind-by-water.md).", "supersedes in part"),
        ("This partially supersedes [1](0001-grind-by-water.md).", "supersedes in part"),
        ("Superseded in part by [1](0001-grind-by-water.md).", "superseded in part by"),
        ("This may partly supersede [1](0001-grind-by-water.md).", ""),
        ("[2](0002-keep-the-old-stones.md) partly supersedes [1](0001-grind-by-water.md).", ""),
        ("We amended the pump after [1](0001-grind-by-water.md).", ""),
        ("It is like [1](0001-grind-by-water.md).", ""),
    ],
)
def test_a_related_record_keeps_the_word_that_the_record_has_for_it(words: str, wording: str) -> None:
    links = records(adrs() | {THIRD: adr(3, "Sell flour", more=words)})[THIRD].links
    link = next(link for link in links if link.target == FIRST)
    assert (link.kind, link.wording) == (LinkKind.RELATES_TO, wording)


@pytest.mark.parametrize(
    ("field", "wording"),
    [
        ("amends: [ADR-1](0001-grind-by-water.md)", "amends"),
        ("amended by: [1](0001-grind-by-water.md)", "amended by"),
        ("supersedes: [1](0001-grind-by-water.md) in part", "supersedes in part"),
        ("superseded by: partially [1](0001-grind-by-water.md)", "superseded in part by"),
    ],
)
def test_a_field_of_a_change_keeps_its_label_as_the_word(field: str, wording: str) -> None:
    text = adr(3, "Sell flour").replace("Date:", f"{field}\nDate:", 1)
    links = records(adrs() | {THIRD: text})[THIRD].links
    assert [(link.kind, link.target, link.wording) for link in links] == [(LinkKind.RELATES_TO, FIRST, wording)]


def test_a_field_that_names_none_names_none_in_its_explanation_either() -> None:
    files = peps("Replaces: None (extends PEP 1)", "Replaces: 1")
    read = records(files)
    assert read["peps/pep-0001.rst"].targets(LinkKind.SUPERSEDES) == ()
    assert read["peps/pep-0002.rst"].targets(LinkKind.SUPERSEDES) == ("peps/pep-0001.rst",)
    assert records(peps("", "Replaces: None (extends PEP 1)"))["peps/pep-0002.rst"].targets(LinkKind.SUPERSEDES) == ()


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Supersedes:\n\n- Grinding parts of [1. Grind by water](0001-grind-by-water.md)", LinkKind.RELATES_TO),
        ("This does not replace all of [1](0001-grind-by-water.md).", LinkKind.RELATES_TO),
        ("It can be added without superseding [1](0001-grind-by-water.md).", LinkKind.RELATES_TO),
        ("It has its part in the mill.", LinkKind.SUPERSEDES),
        ("The useful parts of [1](0001-grind-by-water.md) stay in use.", LinkKind.SUPERSEDES),
    ],
)
def test_a_field_that_replaces_a_record_means_the_part_that_the_text_names(words: str, kind: LinkKind) -> None:
    field = "" if "without" in words else "supersedes: [1](0001-grind-by-water.md)\n"
    text = adr(3, "Sell flour", more=words).replace("Date:", f"{field}Date:", 1)
    links = records(adrs() | {THIRD: text})[THIRD].links
    assert [link.kind for link in links if link.target == FIRST] == [kind]
