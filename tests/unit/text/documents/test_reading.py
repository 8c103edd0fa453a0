"""Documents of every form are read: title, metadata, sections, links."""

from __future__ import annotations

import pytest

from autology.text.documents.reading import body_start, read, shown_text
from autology.text.markdown.links import CITES, PATH, TAGGED_AS, WIKI

TITLES = (
    ("a.md", "---\ntitle: From YAML\n---\n# Heading\n", "From YAML"),
    ("a.md", '+++\ntitle = "From TOML"\ndate = 2024-01-01\n+++\ntext\n', "From TOML"),
    ("a.md", "Setext title\n============\n\ntext\n", "Setext title"),
    ("a.md", "Title: From a header\nStatus: Draft\nAuthor: A\n\ntext\n", "From a header"),
    ("a.md", "just text\n", ""),
    ("a.rst", "=====\nTitle\n=====\n\nSection\n=======\n", "Title"),
    (
        "a.rst",
        ".. _label:\n\nUsing ``async`` and :doc:`other`\n--------------------------------\n\ntext\n",
        "Using async and other",
    ),
    ("a.rst", "PEP: 8\nTitle: Style Guide\nStatus: Active\n\nIntroduction\n============\n", "Style Guide"),
    ("a.adoc", ":toc:\n\n= Tree Processor\nAuthor <a@b.c>\n\n== First\n", "Tree Processor"),
    ("a.adoc", "---\ntitle: From YAML\n---\n= Heading\n", "From YAML"),
    ("a.org", ":PROPERTIES:\n:ID: abc\n:END:\n#+title: All-reduce\n\n* Heading\n", "All-reduce"),
    ("a.org", "* Only a heading\ntext\n", "Only a heading"),
    ("a.mdx", "import X from './x'\n\n# With `code`\n", "With `code`"),
    ("a.txt", "Release notes\n=============\n\ntext\n", "Release notes"),
    ("a.txt", "no title here\n", ""),
    (".cursor/rules/x.mdc", "---\ndescription: y\n---\n# Rules\n", "Rules"),
)


@pytest.mark.parametrize(("path", "text", "title"), TITLES)
def test_the_title_is_what_the_text_states(path: str, text: str, title: str) -> None:
    assert read(text, path).title == title
    assert read(text.replace("\n", "\r\n"), path).title == title


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.rst", "Title\n=====\n\nlead\n\nFirst\n-----\n\none\n\nSecond\n------\n\ntwo\n"),
        ("a.adoc", "= Title\n\nlead\n\n== First\n\none\n\n== Second\n\ntwo\n"),
        ("a.org", "* Title\nlead\n** First\none\n** Second\ntwo\n"),
        ("a.txt", "Title\n=====\n\nlead\n\nFirst\n-----\n\none\n\nSecond\n------\n\ntwo\n"),
    ],
)
def test_sections_are_those_of_the_form(path: str, text: str) -> None:
    sections = read(text, path).sections
    assert [(section.level, section.title) for section in sections] == [(1, "Title"), (2, "First"), (2, "Second")]
    assert text[sections[1].body : sections[1].stop].strip() == "one"
    assert sections[-1].stop == len(text)


def links(text: str, path: str) -> list[tuple[str, str]]:
    return [(mention.form, mention.target) for mention in read(text, path).mentions if mention.type == CITES]


def test_links_of_restructuredtext_are_found() -> None:
    text = (
        "See :doc:`other`, :doc:`the guide <../guide/start>`, :doc:`/top/page`, `file <notes.rst#x>`_ and"
        " `site <https://example.org/a.rst>`_.\n\n"
        ".. toctree::\n   :maxdepth: 2\n\n   install\n   Shown <deep/shown>\n\n"
        ".. include:: shared.txt\n\n.. _named: named.md\n"
    )
    assert links(text, "docs/a.rst") == [
        *((PATH, "other"), (PATH, "../guide/start"), (WIKI, "top/page"), (PATH, "notes.rst")),
        *((PATH, "install"), (PATH, "deep/shown"), (PATH, "shared.txt"), (PATH, "named.md")),
    ]


def test_links_of_asciidoc_are_found() -> None:
    text = (
        "xref:safe.adoc#modes[Safe], <<other.adoc#,Other>>, xref:cli:options.adoc[O], link:x.html[]\n\n"
        "include::p.adoc[]\n"
    )
    assert sorted(links(text, "a.adoc")) == [
        (PATH, "other.adoc"),
        (PATH, "p.adoc"),
        (PATH, "safe.adoc"),
        (WIKI, "cli/pages/options.adoc"),
    ]


def test_links_ids_and_tags_of_org_are_found() -> None:
    text = (
        ':PROPERTIES:\n:ID:       9ECEA56E-0000\n:ROAM_ALIASES: "Other name" alias\n:END:\n#+title: T\n'
        "#+filetags: :ml:notes:\n\nSee [[id:fb39-1][X]], [[file:b.org::*H][B]], [[./c.org]] and [[https://a.org/b.org][no]].\n"
    )
    document = read(text, "a.org")
    assert links(text, "a.org") == [(WIKI, "fb39-1"), (PATH, "b.org"), (PATH, "./c.org")]
    assert document.aliases == ("9ecea56e-0000", "Other name", "alias")
    assert [mention.target for mention in document.mentions if mention.type == TAGGED_AS] == ["ml", "notes"]
    assert text[body_start(text, "a.org") :].startswith("See [[id")


def test_the_components_of_mdx_are_not_its_text() -> None:
    text = (
        "import { Tabs } from 'x'\nexport { y } from 'z'\n\n# Title\n\n<Callout type='info'>Mind the gap.</Callout>\n"
        "{/* hidden */}\n```jsx\nimport a from 'b'\n<Kept />\n```\n<img src='x'/>\n"
    )
    shown = shown_text(text, "a.mdx")
    assert all(text in shown for text in ("Mind the gap.", "<Kept />", "import a from 'b'", "<img src='x'/>"))
    assert not any(gone in shown for gone in ("Callout", "Tabs", "hidden", "export"))
    assert shown_text(text, "a.md") == text


@pytest.mark.parametrize("form", ["rst", "adoc", "org", "txt", "mdx", "md"])
def test_any_text_is_read_in_time_proportional_to_its_length(form: str) -> None:
    for hostile in (
        "[[" * 30_000,
        "= " * 30_000,
        ":doc:`" * 20_000,
        "<<" * 30_000,
        "`a <" * 20_000,
        "<A " * 20_000,
        ".. toctree::\n " * 5_000,
    ):
        read(hostile, f"x.{form}")
        shown_text(hostile, f"x.{form}")
