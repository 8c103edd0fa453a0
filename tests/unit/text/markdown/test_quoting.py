"""The sentence around a link, in all forms of text."""

from __future__ import annotations

import pytest

from autology.text.documents import references
from autology.text.markdown.links import mentions
from autology.text.markdown.quoting import SIDE, quote
from autology.text.records.outline import ASCIIDOC, RST

SECRET = "ghp_9sKq2LmV7xTr4NwZ8bYc3HfJ6pDg1aEu5Rto"


def quoted(text: str, form: str = "markdown") -> list[str]:
    """Return the quotes of all links of *text*, the link's words in brackets."""
    links = mentions(text) if form == "markdown" else references.mentions(text, form)
    quotes = [quote(text, link.start, link.stop) for link in links]
    return [f"{one.before}<{one.link}>{one.after}" for one in quotes]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "First. We use [[abc|the new one]] since v1.2, e.g. for mail. Last.",
            "We use <the new one> since v1.2, e.g. for mail.",
        ),
        ("# H\n\nWrapped **like\n[this](docs/a.b.md) one** here. No.", "Wrapped like <this> one here."),
        ("Intro:\n- one\n- see [x](0001-x.md 'T') too\n- three", "see <x> too"),
        ("| a | b |\n|---|---|\n| see | [z](0003-z.md) |\n", "see <z>"),
        ("## After [x](x.md)\nNot this.", "After <x>"),
        ("> A quoted [[Order service]]\n> goes on.", "A quoted <Order service> goes on."),
        ("See [the old one][old], please.\n\n[old]: ./0004-r.md\n", "See <the old one>, please."),
        ("[unused]: ./0004-r.md\nNot this.", "[unused]: <./0004-r.md>"),
        ("[[Alone]]", "<Alone>"),
        ("古い記録。[[注文]]を使う。次。", "<注文>を使う。"),
    ],
)
def test_the_sentence_of_a_link_is_quoted_as_plain_words(text: str, expected: str) -> None:
    assert quoted(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Zero. The worker is slow. It waits for [[Mail]].", "The worker is slow. It waits for <Mail>."),
        ("It runs. It waits for [[Mail]].", "It waits for <Mail>."),
        (
            "- **Delivery day**: the day there. Because of [[UTC]] it is worked out.",
            "Delivery day: … Because of <UTC> it is worked out.",
        ),
        ("- **Delivery day:** it follows [[UTC]]. More.", "Delivery day: it follows <UTC>."),
        ("Items wait. Iteration uses [[UTC]].", "Iteration uses <UTC>."),
        (f"- **{SECRET}**: one. It uses [[UTC]].", "[redacted:github-token]: … It uses <UTC>."),
    ],
)
def test_a_sentence_about_it_is_quoted_with_what_it_is(text: str, expected: str) -> None:
    assert quoted(text) == [expected]


def test_links_of_other_forms_are_quoted_by_their_words() -> None:
    rst = "We left `the old way <0001-a.rst>`__ and :doc:`0002-b` there. More.\n"
    assert quoted(rst, RST) == ["We left <the old way> and 0002-b there.", "We left the old way and <0002-b> there."]
    adoc = "See xref:0001-a.adoc[the first one] for details. And <<0002-b.adoc#x,second>>.\n"
    assert quoted(adoc, ASCIIDOC) == ["See <the first one> for details.", "And <second>."]


def test_a_long_sentence_is_cut_on_both_sides_at_words() -> None:
    (shown,) = quoted(f"{'word ' * 200}[[Here]]{' more' * 200}.")
    assert shown.startswith("…word")
    assert shown.endswith(" more…")
    assert len(shown) < 2 * SIDE + 20


def test_no_secret_is_quoted_though_it_begins_elsewhere() -> None:
    assert quoted(f"Log in with {SECRET} as [[Mail]] says.") == ["Log in with [redacted:github-token] as <Mail> says."]
    (shown,) = quoted(f"As [[a|{SECRET}]] says.")
    assert SECRET not in shown


def test_hostile_texts_take_no_time() -> None:
    for text in ("[" * 50_000, "[[a]]" * 5_000, "`" * 50_000, "[a](" * 20_000, "x" * 200_000 + " [[a]]", "- " * 50_000):
        for link in mentions(text)[:3]:
            quote(text, link.start, link.stop)
        quote(text, len(text) // 2, len(text) // 2 + 1)
