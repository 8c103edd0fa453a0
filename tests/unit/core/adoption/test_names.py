"""A record and a document are found by the name of their file, and a superseded record by its title."""

from __future__ import annotations

from pathlib import Path

from autology.core.documents.search import search
from autology.settings import adopt_records
from autology.wire.project import Project
from tests.unit.adoption_kit import write

LONG = "Everything about clouds and weather.\n\n" * 5


def project(root: Path) -> Project:
    write(root, "nygard")
    own = root / "docs/adr"
    first = own / "0001-keep-orders-in-postgresql.md"
    first.rename(own / "0001-orders-database-choice.md")
    second = own / "0002-send-mail-through-a-queue.md"
    text = second.read_text(encoding="utf-8")
    by = "Superseded by [4. Sign releases](0004-sign-releases.md)"
    second.write_text(text.replace("Accepted", by), encoding="utf-8")
    for number in range(1, 7):
        talk = f"# Talk {number}\n\nOrders, database, choice: choice of a database for orders. {LONG}"
        (root / f"docs/talk-{number}.md").write_text(talk, encoding="utf-8")
        mail = f"# Mail {number}\n\nSend mail through a queue or not: send mail. {LONG}"
        (root / f"docs/mail-{number}.md").write_text(mail, encoding="utf-8")
    (root / "docs/tide-tables.md").write_text(f"# Waters\n\n{LONG}", encoding="utf-8")
    made = Project(str(root))
    made.graph.files.create()
    adopt_records(str(root), ["docs/adr"])
    made.library.catch_up()
    return made


def first(made: Project, query: str) -> list[str]:
    return [hit.source.path for hit in search(made.library, query, 3).hits]


def test_the_words_of_a_files_name_find_it_first(tmp_path: Path) -> None:
    made = project(tmp_path)
    assert first(made, "orders database choice")[0] == "docs/adr/0001-orders-database-choice.md"
    assert first(made, "0001-orders-database-choice")[0] == "docs/adr/0001-orders-database-choice.md"
    assert first(made, "tide tables")[0] == "docs/tide-tables.md"


def test_the_title_of_a_superseded_record_finds_it_after_the_best_other_one(tmp_path: Path) -> None:
    assert first(project(tmp_path), "Send mail through a queue")[1] == "docs/adr/0002-send-mail-through-a-queue.md"
