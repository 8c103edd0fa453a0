"""Which files are recognised as records, wherever they lie and whatever their form."""

from __future__ import annotations

import pytest

from autology.core.records.collection import Correction, Reason
from autology.core.records.discovery import find_collections
from tests.unit.core.records.records_kit import MemoryTexts, adr, adrs, located, records

RFC = (
    "- Feature Name: {0}\n- Start Date: 2020-01-0{1}\n- RFC PR: #{1}\n\n"
    "# Summary\n\nx\n\n# Motivation\n\nx\n\n# Drawbacks\n\nx\n"
)
PROPOSAL = (
    "---\ntitle: {0}\nstatus: provisional\nauthors:\n  - '@ada'\ncreation-date: 2022-02-0{1}\n---\n\n"
    "# {0}\n\n## Summary\n\n## Motivation\n"
)


def test_a_collection_is_found_in_a_folder_of_any_name() -> None:
    discovery = located(adrs("stones/and/wheels"))
    assert [(one.folder, len(one.records), one.kind) for one in discovery.collections] == [
        ("stones/and/wheels", 3, "decision")
    ]


def test_unnumbered_proposals_are_found_by_their_frontmatter() -> None:
    files = {
        f"ideas/{name}.md": PROPOSAL.format(name.title(), at) for at, name in enumerate(("sluice", "weir", "race"), 1)
    }
    assert sorted(records(files)) == ["ideas/race.md", "ideas/sluice.md", "ideas/weir.md"]


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("README.md", "# Our decisions\n\n1. Grind by water\n", Reason.INDEX),
        ("template.md", adr(1, "Title"), Reason.TEMPLATE),
        ("0000-template.md", adr(1, "Title"), Reason.TEMPLATE),
        ("0000-modele-adr.md", adr(1, "Titre de la décision"), Reason.TEMPLATE),
        ("0000-adr-template-de.md", adr(1, "Title"), Reason.TEMPLATE),
        ("NNNN-name.md", adr(1, "Title"), Reason.TEMPLATE),
        ("0009-old.md", "This record has moved to [another place](../elsewhere.md).\n", Reason.STUB),
        (
            "000-open-questions.md",
            "# Questions\n\n**Status:** Resolved\n**See:** [ADR 1](0001-x.md)\n\n*All have been moved to ADR 1.*\n",
            Reason.STUB,
        ),
        ("0001-grind-by-water.fr.md", adr(1, "Moudre"), Reason.TRANSLATION),
        ("glossary-of-stones.md", "# Stones\n\nA stone is hard.\n", Reason.FORM),
    ],
)
def test_what_lies_beside_records_is_left_out_with_its_reason(name: str, text: str, reason: Reason) -> None:
    path = f"docs/adr/{name}"
    discovery = located({**adrs(), path: text})
    assert len(discovery.records) == 3
    assert (path, reason) in {(left.path, left.reason) for left in discovery.collections[0].left_out}


def test_a_record_whose_title_speaks_of_templates_is_a_record() -> None:
    files = {**adrs(), "docs/adr/0004-use-one-template.md": adr(4, "Use one template for bills")}
    assert "docs/adr/0004-use-one-template.md" in records(files)


@pytest.mark.parametrize(
    "files",
    [
        {
            f"_posts/2020-01-0{day}-news.md": "---\nlayout: post\ndate: 2020-01-01\nauthor: Ada\n---\n\n# News\n"
            for day in range(1, 6)
        },
        {
            f"meetings/2020-01-0{day}.md": "# Meeting\n\n## Attendees\n\n- Ada\n\n## Agenda\n\n## Decisions\n"
            for day in range(1, 6)
        },
        {
            f"council/2020-01-0{day}.md": "# Meeting\n\n## Attendees\n\n- Ada\n\n## Agenda\n\n## Action items\n"
            for day in range(1, 6)
        },
        {
            f"docs/99_journal/2026-01-0{day}_grinding.md": "---\ntype: Journal\nstatus: ARCHIVED\nowner: Ada\n"
            f"date: 2026-01-0{day}\n---\n\n# The day\n\n## Summary\n\nWe ground.\n\n## Decisions\n\nMore flour.\n"
            for day in range(1, 6)
        },
        {
            f"docs/reports/2026-01-0{day}-wheel.md": f"---\nstatus: final\nowner: Ada\ndate: 2026-01-0{day}\n---\n\n"
            "# The wheel turns\n\n## What was measured\n\nIts speed.\n"
            for day in range(1, 6)
        },
        {f"news/{at}.bugfix.rst": "Fixed the wheel." for at in range(100, 106)},
        {f"docs/0{at}-step.md": f"# Step {at}\n\nTurn the wheel.\n\n## Next\n" for at in range(1, 8)},
        {f"releases/1.{at}.md": f"# 1.{at}\n\n## Added\n\n## Fixed\n\n## Breaking changes\n" for at in range(1, 6)},
        {f"packages/p{at}/README.md": f"# p{at}\n\n## Installation\n\n## License\n" for at in range(1, 6)},
        {
            f".github/ISSUE_TEMPLATE/{at}.md": "---\nname: x\nabout: y\n---\n\n## Motivation\n\n## Alternatives\n"
            for at in range(4)
        },
        adrs("tests/fixtures/adr"),
        adrs("node_modules/mill/docs/adr"),
        adrs("versioned_docs/version-2/adr"),
        adrs("cert_synthetic/Mill/docs/adr"),
        {
            f"docs/use-cases/{name}.md": f"# Use case: {name}\n\n## Problem\n\n## Motivation\n\n## Impact\n"
            for name in ("grind", "store", "sell", "weigh")
        },
    ],
    ids=[
        "posts",
        "minutes",
        "minutes elsewhere",
        "journal",
        "reports",
        "news",
        "tutorial",
        "releases",
        "readmes",
        "issue templates",
        "fixtures",
        "vendored",
        "documentation of an earlier release",
        "made-up projects",
        "use cases",
    ],
)
def test_what_merely_resembles_a_record_is_not_detected(files: dict[str, str]) -> None:
    assert records(files) == {}


@pytest.mark.parametrize(
    "folder", ["synthetic-monitoring/docs/adr", "tools/dummy-server/docs/adr", "progress/docs/adr"]
)
def test_records_of_a_part_whose_name_resembles_a_folder_of_samples_are_detected(folder: str) -> None:
    assert len(records(adrs(folder))) == 3


def test_a_single_record_is_a_collection_in_a_folder_named_for_decisions() -> None:
    assert list(records({"docs/decisions/0001-grind-by-water.md": adr(1, "Grind by water")})) == [
        "docs/decisions/0001-grind-by-water.md"
    ]
    assert records({"docs/wheel/0001-grind-by-water.md": adr(1, "Grind by water")}) == {}


def test_folders_with_a_main_text_and_a_sidecar_are_records_of_two_files() -> None:
    files = {}
    for at, name in enumerate(("sluice", "weir", "race"), 1):
        files[f"keps/water/{at}-{name}/README.md"] = f"# KEP-{at}: {name.title()}\n\n## Summary\n\n## Motivation\n"
        files[f"keps/water/{at}-{name}/kep.yaml"] = (
            f"title: {name.title()} gate\nkep-number: {at}\nstatus: implemented\ncreation-date: 2020-0{at}-01\n"
        )
        files[f"keps/water/{at}-{name}/figures.md"] = "# Figures\n"
    one = records(files)["keps/water/1-sluice/README.md"]
    assert len(records(files)) == 3
    assert one.paths == ("keps/water/1-sluice/README.md", "keps/water/1-sluice/kep.yaml")
    assert (one.id_path, one.number, one.title, one.status_word, one.date) == (
        "keps/water/1-sluice", 1, "Sluice gate", "implemented", "2020-01-01",
    )  # fmt: skip


def test_subfolders_of_one_form_are_one_collection_and_different_ones_two() -> None:
    files = {**adrs("docs/adr"), "docs/adr/weir/0004-raise-the-weir.md": adr(4, "Raise the weir")}
    assert [(one.folder, len(one.records)) for one in located(files).collections] == [("docs/adr", 4)]
    files |= {f"docs/rfcs/000{at}-race.md": RFC.format("race", at) for at in range(1, 5)}
    assert [(one.folder, len(one.records)) for one in located(files).collections] == [("docs/adr", 4), ("docs/rfcs", 4)]


def test_folders_named_for_states_state_the_status() -> None:
    form = "# {0}\n\n## Problem description\n\n## Proposed change\n\n## Alternatives\n"
    files = {f"specs/approved/{name}.md": form.format(name) for name in ("sluice", "weir", "race")}
    files |= {f"specs/rejected/{name}.md": form.format(name) for name in ("steam", "wind", "oxen")}
    (collection,) = located(files).collections
    assert {record.title: record.status for record in collection.records} == {
        "race": "accepted", "sluice": "accepted", "weir": "accepted",
        "oxen": "rejected", "steam": "rejected", "wind": "rejected",
    }  # fmt: skip


def test_the_configuration_switches_a_folder_off_or_on() -> None:
    files = adrs()
    off = located(files, [Correction("docs/adr", adopt=False)])
    assert off.records == ()
    assert [left.reason for left in off.left_out] == [Reason.CONFIG]
    plain = {f"thoughts/{name}.md": f"# {name}\n\nA thought.\n" for name in ("water", "stone")}
    assert records(plain) == {}
    assert len(records(plain, [Correction("thoughts", adopt=True)])) == 2


def test_only_some_heads_of_a_large_folder_of_documents_are_read() -> None:
    texts = MemoryTexts({f"manual/page-{at}.md": f"# Page {at}\n\nText.\n" for at in range(2_000)})
    assert find_collections(texts.files, texts).records == ()
    assert texts.heads < 20


def test_at_most_half_of_the_heads_of_many_small_folders_are_read() -> None:
    page = "# Page\n\n" + "The wheel turns, and the mill grinds.\n\n## Part\n\n" * 80
    texts = MemoryTexts({f"manual/{folder}/page-{at}.md": page for folder in range(300) for at in range(10)})
    assert find_collections(texts.files, texts).records == ()
    assert texts.heads <= len(texts.files) / 2


def spec(title: str, *sections: str, introduction: str = "x") -> str:
    """Return an unnumbered specification in reStructuredText: a problem described at length, then *sections*."""
    bodies = (f"{one}\n{'=' * len(one)}\n\n{introduction if at == 0 else 'x'}\n\n" for at, one in enumerate(sections))
    return f"{'=' * len(title)}\n{title}\n{'=' * len(title)}\n\n" + "".join(bodies)


SPEC = ("Problem description", "Proposed change", "Alternatives", "Security impact", "Assignee(s)", "Work Items")
LIBRARY = ("Library Name", "Early Adopters", "Implementation", "Assignee(s)", "Milestones", "Work Items")


def specs() -> dict[str, str]:
    """Return specifications of two releases, in folders that nothing but their releases names."""
    by_release = {"ash": ("sluice", "weir", "race", "dam"), "beech": ("wheel", "stone", "hopper")}
    return {
        f"specs/{release}/{name}.rst": spec(f"Build the {name}", *SPEC)
        for release, names in by_release.items()
        for name in names
    }


def test_a_long_introduction_does_not_hide_that_a_text_is_a_record() -> None:
    path = "specs/beech/gate.rst"
    text = spec("Build the gate", *SPEC, introduction="Water is high. " * 1_000)
    assert path in records({**specs(), path: text})


def test_the_records_of_a_release_that_has_few_belong_to_the_collection() -> None:
    path = "specs/cedar/gate.rst"
    text = spec("Build the gate", *SPEC, introduction="Water is high. " * 300)
    assert path in records({**specs(), path: text})


def test_three_texts_of_a_second_template_are_records_and_one_is_not() -> None:
    libraries = {f"specs/ash/graduate-{name}.rst": spec(f"Graduate {name}", *LIBRARY) for name in ("a", "b", "c")}
    assert set(libraries) <= set(records({**specs(), **libraries}))
    first = min(libraries)
    assert first not in records({**specs(), first: libraries[first]})


def test_a_text_with_the_sections_of_a_proposal_is_a_record_among_others_of_another_form() -> None:
    path = "specs/ash/new-library.rst"
    text = spec("Begin a library", "Motivation", "Alternatives library", "Proposed adoption", "Security considerations")
    assert path in records({**specs(), path: text})


@pytest.mark.parametrize("title", ["(Placeholder Spec)", "Placeholder"])
def test_a_placeholder_is_no_record(title: str) -> None:
    path = "specs/ash/later.rst"
    discovery = located({**specs(), path: spec(title, *SPEC)})
    assert path not in {record.path for record in discovery.records}
    assert (path, Reason.TEMPLATE) in {(left.path, left.reason) for left in discovery.collections[0].left_out}


def test_a_guide_beside_specifications_is_no_record() -> None:
    path = "specs/ash/how-we-work.rst"
    text = spec("How we work", "Overview", "Meetings", "Implementation", "Where to ask")
    assert path not in records({**specs(), path: text})


def test_proposals_without_a_header_are_found_by_what_they_call_themselves() -> None:
    text = "# Summary\n\nThis {0} is about gate {1}.\n\n# Motivation\n\nx\n"
    for folder, word, found in (("accepted", "RFC", 3), ("accepted", "page", 0), ("accepted", "RFC-7231", 0)):
        files = {f"{folder}/{name}.md": text.format(word, name) for name in ("sluice", "weir", "race")}
        assert len(records(files)) == found


@pytest.mark.parametrize("folder", ["roadmap/product", "docs/tasks", "backlog"])
def test_stages_of_a_roadmap_and_tasks_are_no_records(folder: str) -> None:
    assert records(adrs(folder)) == {}


def test_numbered_parts_of_a_plan_are_no_records() -> None:
    text = "# {1} {0}: Mend the gate\n\n**Status:** open\n\n## Goal\n\nx\n\n## Scope\n\nx\n"
    for prefix, title, found in (("task", "Gate", 0), ("step", "Gate", 0), ("gate", "Story", 0), ("rfc", "RFC", 3)):
        files = {f"plans/gate/{prefix}-{at}.md": text.format(at, title) for at in range(1, 4)}
        assert len(records(files)) == found


def test_instalments_of_a_course_or_a_series_of_posts_are_no_records() -> None:
    text = "# {0} {1}: Turn the wheel\n\n## Motivation\n\nx\n\n## Design\n\nx\n"
    for word, found in (("Part", 0), ("Step", 0), ("Lesson", 0), ("Gate", 3)):
        assert len(records({f"docs/0{at}-wheel.md": text.format(word, at) for at in range(1, 4)})) == found
    assert records(adrs("site/blog-series")) == {}


def test_a_dated_text_whose_author_left_the_templates_title_is_a_record() -> None:
    text = "# Title\n\n{0}\n\n## Summary\n\nx\n\n## Motivation\n\nx\n\n## Test plan\n\nx\n"
    files = {f"enhancements/2020010{at}-wheel-{at}.md": text.format(f"Wheel {at}") for at in range(1, 5)}
    assert len(records({**files, "enhancements/YYYYMMDD-template.md": text})) == 4


@pytest.mark.parametrize(
    ("folder", "template", "found"), [("adr", "", 4), ("text", "", 0), ("text", "text/0000-template.md", 4)]
)
def test_numbered_texts_in_a_folder_for_records_are_records_in_whatever_form(
    folder: str, template: str, found: int
) -> None:
    files = {f"{folder}/000{at}-gate.md": f"# Gate {'abcd'[at]}\n\nIt keeps water.\n" for at in range(4)}
    assert len(records({**files, **({template: "# Title\n"} if template else {})})) == found


def test_what_lies_among_the_records_of_a_folder_that_is_named_for_them_is_one() -> None:
    files = {f"proposals/{name}.md": spec(name, *SPEC) for name in ("weir", "race", "sluice", "wheel")}
    later = {f"proposals/2.0/{name}.md": spec(name, *SPEC) for name in ("stone", "hopper")}
    plain = "# Open the gate\n\nThe gate opens at dawn.\n"
    others = ("proposals/open-gate.md", "proposals/2.0/open-gate.md", "proposals/how-to-propose.md", "open-gate.md")
    read = set(records({**files, **later, **dict.fromkeys(others, plain)}))
    assert read == {*files, *later, *others[:2]}


def test_a_heading_that_is_left_over_from_the_template_does_not_make_a_record_one() -> None:
    files = {f"cfps/CFP-00{at}-gate.md": adr(at, f"Gate {at}").replace(f"# {at}. ", f"# CFP-00{at}: ") for at in (4, 5)}
    left = adr(6, "x").replace("# 6. x", "# CFP-003: Template").replace("Date: 2021-03-06\n", "")
    assert len(records({**files, "cfps/CFP-006-weir.md": left, "cfps/CFP-003-gate.md": left})) == 3


@pytest.mark.parametrize(("folder", "found"), [("journal", 0), ("security-audits", 0), ("audit-trail", 3)])
def test_accounts_of_what_was_done_or_looked_at_are_no_records(folder: str, found: int) -> None:
    assert len(records(adrs(f"docs/{folder}"))) == found


@pytest.mark.parametrize(
    ("title", "found"), [("Mill RFCs", 6), ("The Mill's Enhancement Proposals", 6), ("The mill", 0), ("rfc-lint", 0)]
)
def test_the_numbered_texts_of_a_repository_that_is_for_records_are_records_in_whatever_form(
    title: str, found: int
) -> None:
    form = "# Gate {0}\n\nIt keeps the water.\n\n## {1}\n\nx\n"
    files = {f"volumes/000{at}-gate.md": form.format(at, "Summary" if at < 3 else "Gains") for at in range(1, 7)}
    course = {f"volumes/0001-gate/0{at}-step.md": "# Then\n\n## Summary\n" for at in range(1, 5)}
    assert len(records({**files, **course, "README.md": f"# {title}\n\nRead them.\n"})) == found


def test_a_title_that_is_left_over_from_the_template_gives_way_to_the_files_name() -> None:
    files = {f"rfcs/000{at}-gate-{at}.md": adr(at, f"Gate {at}") for at in range(1, 6)}
    for left, title in (("Title", "Weir"), ("FIR Template", "Weir"), ("Use a template", "Use a template")):
        text = adr(6, "x").replace("# 6. x", f"# {left}")
        assert records({**files, "rfcs/0006-weir.md": text})["rfcs/0006-weir.md"].title == title


def test_folders_of_one_collection_whose_texts_differ_are_counted_once() -> None:
    form = "# {0}\n\n## {1}\n\nx\n\n## {2}\n\nx\n\n## {3}\n\nx\n"
    sections = (("Motivation", "Drawbacks", "Goals"), ("Rationale", "Test plan", "Scope"))
    files = {
        f"veps/sig-{at}/{10 * at + n}-gate-{n}/vep.md": form.format(f"Gate {n}", *sections[at - 1])
        for at in (1, 2)
        for n in range(1, 6)
    }
    files["veps/sig-3/31-weir/vep.md"] = form.format("Weir", *sections[0])
    discovery = located(files)
    assert sorted(record.path for record in discovery.records) == sorted(files)


def test_a_proposal_on_templates_is_a_record_and_a_variant_of_the_template_is_none() -> None:
    left = ("adr-template-madr", "template-long", "mill-template")
    files = {f"proposals/{name}.md": spec(name, *SPEC) for name in ("weir", "race", "mill-template-stacks", *left)}
    assert sorted(records(files)) == [f"proposals/{name}.md" for name in ("mill-template-stacks", "race", "weir")]


def test_the_break_of_a_line_is_no_part_of_a_status() -> None:
    head = (
        "= {0}. Gate {0}\n\n**Status**: Accepted +\n**Date**: 2020-01-0{0} +\n\n== Context\n\nx\n\n== Decision\n\nx\n"
    )
    files = {f"docs/adr/000{at}-gate.adoc": head.format(at) for at in range(1, 4)}
    assert {record.status_word for record in records(files).values()} == {"Accepted"}
