"""What links to a note is shown with the sentence that does, whatever the form of the link and of the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.settings import adopt_records
from autology.web.calls import answer
from autology.web.project import PageProject
from tests.unit.adoption_kit import write

Quotes = dict[str, list[list[str]]]


@pytest.fixture
def page(tmp_path: Path) -> PageProject:
    return PageProject(str(tmp_path))


def quotes(page: PageProject, id: str) -> Quotes:
    """Return the sentences that link to *id*, by the title of their text."""
    links = answer(page, "opened", {"id": id})["links"]
    return {link["title"]: link["quotes"] for link in links if "quotes" in link}


def test_notes_and_documents_are_quoted_where_they_name_a_note(page: PageProject, tmp_path: Path) -> None:
    def create(title: str, content: str) -> str:
        made: str = answer(page, "create", {"title": title, "content": content, "type": "concept"})["id"]
        return made

    queue = create("Mail queue", "Holds mail.")
    create("Mail worker", f"It runs. It takes mail from the [[Mail queue]], slowly. See [it](../{queue[:8]}.md).")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "shop.md").write_text(
        f"---\nrelated: '[[Mail queue]]'\n---\n# Shop\n\nMail waits in [[{queue}|the queue]]. So.\n\n`[[Mail queue]]`\n"
    )
    (tmp_path / "docs" / "plain.md").write_text("---\nrelated: '[[Mail queue]]'\n---\n# Plain\n\nNothing.\n")
    assert quotes(page, queue) == {
        "Mail worker": [["It takes mail from the ", "Mail queue", ", slowly."]],
        "Shop": [["Mail waits in ", "the queue", "."]],
    }
    links = answer(page, "opened", {"id": queue})["links"]
    assert {("Mail queue", True)} == {
        (link["title"], link["out"]) for link in answer(page, "opened", {"id": "docs/plain.md"})["links"]
    }
    assert {link["title"] for link in links} == {"Mail worker", "Shop", "Plain"}


def test_a_document_is_quoted_by_path_and_by_name(page: PageProject, tmp_path: Path) -> None:
    (tmp_path / "docs" / "more").mkdir(parents=True)
    (tmp_path / "docs" / "mail.md").write_text("# Mail\n\nText.\n")
    (tmp_path / "docs" / "more" / "a.md").write_text("# A\n\nFirst. Then read [mail](../mail.md#top).\n")
    (tmp_path / "docs" / "b.rst").write_text("Bee\n===\n\nFirst. Then read `mail <mail.md>`__.\n")
    assert quotes(page, "docs/mail.md") == {
        "A": [["Then read ", "mail", "."]],
        "Bee": [["Then read ", "mail", "."]],
    }


@pytest.mark.parametrize(
    ("form", "folder"), [("nygard", "docs/adr"), ("lines", "adr"), ("pep", "peps"), ("asciidoc", "doc/adr")]
)
def test_records_are_quoted_where_they_link_to_each_other(
    page: PageProject, tmp_path: Path, form: str, folder: str
) -> None:
    paths = write(tmp_path, form)
    adopt_records(str(tmp_path), [folder])
    first, last = Path(paths[0]).name, tmp_path / paths[-1]
    link = {"pep": f"`the first <{first}>`__", "asciidoc": f"xref:{first}[the first]"}.get(
        form, f"[the first]({first})"
    )
    last.write_text(last.read_text() + f"\nSo. It rests on {link}, in part. Not more.\n")
    page.graph.refresh(walk=True)
    (opened,) = answer(page, "titles", {"beginning": "orders"})["titles"]
    assert quotes(page, opened["id"]) == {"Log as JSON": [["It rests on ", "the first", ", in part."]]}


def test_records_are_quoted_where_they_name_each_other_by_number(page: PageProject, tmp_path: Path) -> None:
    last = tmp_path / write(tmp_path, "lines")[-1]
    adopt_records(str(tmp_path), ["adr"])
    last.write_text(last.read_text() + "\nSo. It rests on ADR-1, in part. ADR-12 does not.\n")
    page.graph.refresh(walk=True)
    (opened,) = answer(page, "titles", {"beginning": "orders"})["titles"]
    assert quotes(page, opened["id"]) == {"Log as JSON": [["It rests on ", "ADR-1", ", in part."]]}


def test_a_note_with_thousands_of_links_opens_and_hostile_texts_break_nothing(
    page: PageProject, tmp_path: Path
) -> None:
    id = answer(page, "create", {"title": "Hub", "content": "It.", "type": "concept"})["id"]
    (tmp_path / "docs").mkdir()
    for number in range(150):
        (tmp_path / "docs" / f"{number}.md").write_text(f"# D{number}\n\nSee [[Hub]].\n" * 3)
    (tmp_path / "docs" / "wild.md").write_text("# Wild\n\n" + "[[Hub]]" * 3_000 + "\n\n<script>[[Hub]]</script>\n")
    found = quotes(page, id)
    assert 50 <= len(found) <= 60
    assert all(len(some) <= 3 for some in found.values())
