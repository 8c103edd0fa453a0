"""How one record stands to another is read from the words between them, and the other is found."""

from __future__ import annotations

import pytest

from autology.text.adr.links import RecordLink
from autology.text.adr.record import Record, parse
from autology.text.adr.resolve import resolve
from autology.text.notes.yaml_subset import entry


def links(body: str, path: str = "docs/adr/0020-x.md", **front: object) -> list[tuple[str, str]]:
    fields = "".join(entry(key, value) for key, value in front.items())
    text = f"---\n{fields}---\n# Use X\n\n{body}\n"
    return [(link.kind, link.target) for link in parse(text, path).links]


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Supersedes [ADR 14](0014-y.md)", "supersedes"),
        ("* Supersedes: [ADR 14](0014-y.md)", "supersedes"),
        ("| Supersedes | [ADR 14](0014-y.md) |", "supersedes"),
        ("This record supersedes [ADR 14](0014-y.md).", "supersedes"),
        ("This proposal\ncompletely replaces [ADR 14](0014-y.md).", "supersedes"),
        ("We replace our earlier decision in [ADR 14](0014-y.md).", "supersedes"),
        ("It superseded [ADR 14](0014-y.md).", "supersedes"),
        ("[ADR 14](0014-y.md) is superseded by this record.", "supersedes"),
        ("One of several. [ADR 14](0014-y.md) supersedes the content of this proposal.", "superseded_by"),
        ("[ADR 14](0014-y.md) replaced this record.", "superseded_by"),
        ("[ADR 14](0014-y.md) supersedes parts of this proposal.", "relates_to"),
        ("Superseded by [ADR 14](0014-y.md)", "superseded_by"),
        ("Superseded: 2019-12-19 by [ADR 14](0014-y.md)", "superseded_by"),
        ("Superseded on 19 December 2019 by [ADR 14](0014-y.md)", "superseded_by"),
        ("Superseded (see [ADR 14](0014-y.md))", "superseded_by"),
        ("**Status:** Superceded entirely by [14. Do it](0014-y.md)", "superseded_by"),
        ("Status: Replaced by [ADR 14](0014-y.md)", "superseded_by"),
        ("This decision has been superseded by [ADR 14](0014-y.md).", "superseded_by"),
        ("Deprecated in favour of [ADR 14](0014-y.md)", "superseded_by"),
        ("This supersedes [ADR 14](0014-y.md). Phase 2 begins in May.", "supersedes"),
        ("Supersedes [ADR 14](0014-y.md) because it only covered mail.", "supersedes"),
        ("Amends [ADR 14](0014-y.md)", "amends"),
        ("Amended by [ADR 14](0014-y.md)", "amended_by"),
        ("- Clarified by [ADR 14](0014-y.md)", "amended_by"),
        # Of a part, of something else, of others, or not (yet) so: merely related.
        ("Note: this ADR supersedes some aspects of [ADR 14](0014-y.md).", "relates_to"),
        ("This supersedes the caching part of [ADR 14](0014-y.md).", "relates_to"),
        ("Partially supersedes [ADR 14](0014-y.md)", "relates_to"),
        ("Supersedes [ADR 14](0014-y.md) in part", "relates_to"),
        ("Supersedes [ADR 14](0014-y.md)'s caching", "relates_to"),
        ("Supersedes [ADR 14](0014-y.md) §3's mechanism only.", "relates_to"),
        ("Supersedes [ADR 14](0014-y.md), section 3", "relates_to"),
        ('Supersedes the "[ADR 14](0014-y.md) — split" placeholder.', "relates_to"),
        ("The new field supersedes the value stored by [ADR 14](0014-y.md).", "relates_to"),
        ("[ADR 20](0020-x.md) may supersede [ADR 14](0014-y.md).", "relates_to"),
        ("This does not supersede [ADR 14](0014-y.md).", "relates_to"),
        ("This will be superseded by [ADR 14](0014-y.md) one day.", "relates_to"),
        ("The old cache, which was replaced by [ADR 14](0014-y.md), was slow.", "relates_to"),
        ("Redis replaces the disk of [ADR 14](0014-y.md).", "relates_to"),
        ("As told in [ADR 14](0014-y.md), disks are slow. This supersedes all we knew.", "relates_to"),
    ],
)
def test_a_relation_is_read_from_the_words_between_two_records(sentence: str, kind: str) -> None:
    assert links(sentence) == [(kind, "0014-y.md")]


def test_a_supersession_between_other_records_is_only_a_mention() -> None:
    assert links("[ADR 17](0017-a.md) supersedes [ADR 15](0015-b.md).") == [
        ("relates_to", "0017-a.md"),
        ("relates_to", "0015-b.md"),
    ]


def test_the_word_supersedes_without_a_record_makes_no_link() -> None:
    assert links("This value supersedes the one stored on an edition. Superseded by events, replaced by 3 disks.") == []


@pytest.mark.parametrize(
    "list_", ["[A](0014-a.md), [B](0015-b.md) and [C](0016-c.md)", "ADR-14, ADR 15 and ADR #16", "ADRs 14, 15 and 16"]
)
def test_each_record_of_a_list_gets_the_same_relation(list_: str) -> None:
    assert [kind for kind, _ in links(f"Supersedes {list_}.")] == ["supersedes"] * 3


@pytest.mark.parametrize("lead_in", ["## Supersedes\n\n", "This record supersedes:\n\n", "### Supersedes\n"])
def test_a_list_under_a_heading_or_lead_in_is_related_by_it(lead_in: str) -> None:
    body = f"{lead_in}* [A](0014-a.md)\n* [B](0015-b.md)\n\n## More\n\n* [C](0016-c.md)"
    assert links(body) == [("supersedes", "0014-a.md"), ("supersedes", "0015-b.md"), ("relates_to", "0016-c.md")]


@pytest.mark.parametrize(
    "named", ["ADR-14", "ADR 0014", "adr_14", "ADR14", "#14", "14", "0014", "decision 14", "[ADR 14](#adr-14)"]
)
def test_a_number_names_a_record(named: str) -> None:
    (result,) = links(f"Superseded by {named}")
    assert result[0] == "superseded_by"
    assert result[1].endswith("14")


def test_a_number_alone_names_nothing_without_such_words() -> None:
    assert links("1. See #14, decision 14, 14, 2019-01-14 and version ADR-1.2.") == []


def test_a_record_named_twice_is_linked_once_with_the_strongest_word() -> None:
    assert links("See [ADR 14](0014-y.md). This supersedes ADR-14. ADR 14 was good.") == [("supersedes", "0014-y.md")]
    assert links("See ADR-14 and [ADR 14](0014-y.md). See [it](./0014-y.md#why).") == [("relates_to", "0014-y.md")]


def test_names_in_code_and_its_own_name_make_no_link() -> None:
    assert (
        links(
            "```\nSupersedes [ADR 14](0014-y.md)\n```\n\n"
            "`ADR-14` <!-- ADR-15 --> ADR-20 [me](0020-x.md) ![ADR 13](0013-a.md)"
        )
        == []
    )


def test_reference_links_wiki_links_and_web_addresses_are_followed() -> None:
    assert links(
        "See [the old one][a], [adr-7], [[0009-wiki|Wiki]] and <https://x.example/adr/0011-y.md>.\n\n"
        "[a]: 0014-y.md\n[ADR-7]: 0007-z.md"
    ) == [
        ("relates_to", "0014-y.md"),
        ("relates_to", "0007-z.md"),
        ("relates_to", "0009-wiki"),
        ("relates_to", "https://x.example/adr/0011-y.md"),
    ]


def test_frontmatter_names_records_too() -> None:
    assert links(
        "x", supersedes=["ADR-14", "0015-y.md"], superseded_by="16", status="accepted", related="Some words"
    ) == [
        ("supersedes", "ADR-14"),
        ("supersedes", "0015-y.md"),
        ("superseded_by", "16"),
    ]
    assert links("x", supersededBy="ADR-3", status="superseded by [ADR-0004](0004-y.md)") == [
        ("superseded_by", "ADR-3"),
        ("superseded_by", "0004-y.md"),
    ]


def test_a_link_s_text_is_its_sentence_in_plain_words() -> None:
    text = "# X\n\nSome words. Note: this *supersedes* the cache\nof [ADR 14](0014-y.md), e.g. Redis. More words.\n"
    (link,) = parse(text, "docs/adr/0020-x.md").links
    assert link.text == "Note: this supersedes the cache of ADR 14, e.g. Redis."


def records(*paths: str) -> dict[str, Record]:
    return {path: parse("# T\n", path) for path in paths}


HOME = "docs/adr/0020-x.md"
KNOWN = records(
    HOME,
    "docs/adr/0014-some-choice.md",
    "docs/adr/sub/0003-c.md",
    "other/adr/0014-foreign.md",
    "other/adr/0005-e.md",
    "docs/adr/plain.md",
)


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("0014-some-choice.md", "docs/adr/0014-some-choice.md"),
        ("./0014-some-choice.md#context", "docs/adr/0014-some-choice.md"),
        ("0014-some-choice", "docs/adr/0014-some-choice.md"),
        ("0014-Some-Choice.MD", "docs/adr/0014-some-choice.md"),
        ("0014-some_choice.md", "docs/adr/0014-some-choice.md"),
        ("some-choice.md", "docs/adr/0014-some-choice.md"),
        ("../../other/adr/0014-foreign.md", "other/adr/0014-foreign.md"),
        ("/docs/adr/0014-some-choice.md", "docs/adr/0014-some-choice.md"),
        ("https://github.com/a/b/blob/main/docs/adr/0014-some-choice.md#x", "docs/adr/0014-some-choice.md"),
        ("ADR-14", "docs/adr/0014-some-choice.md"),
        ("ADR 0014", "docs/adr/0014-some-choice.md"),
        ("#14", "docs/adr/0014-some-choice.md"),
        ("14", "docs/adr/0014-some-choice.md"),
        ("ADR-3", "docs/adr/sub/0003-c.md"),
        ("ADR-5", "other/adr/0005-e.md"),
        ("plain.md", "docs/adr/plain.md"),
        ("0020-x.md", None),
        ("ADR-20", None),
        ("RFC 14", None),
        ("https://example.com/0099-y.md", None),
        ("README.md", None),
        ("../../../0014-q.md", "docs/adr/0014-some-choice.md"),
    ],
)
def test_a_link_finds_its_record(target: str, path: str | None) -> None:
    assert resolve(RecordLink("relates_to", target, ""), HOME, KNOWN) == path


def test_two_records_equally_near_are_not_guessed_between() -> None:
    known = records("a/adr/0001-x.md", "b/adr/0001-y.md", "c/adr/0002-z.md")
    assert resolve(RecordLink("relates_to", "ADR-1", ""), "c/adr/0002-z.md", known) is None
