"""One scale of scores in every tool, and what is said of a question that nothing answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core import question_words
from autology.core.documents.search import search as search_documents
from autology.core.documents.search import strong
from autology.core.likelihood import IndexedQuestion, Passage
from autology.core.memory.find import Request, find
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.search import NodeQuery, search
from autology.core.recall import unified
from autology.core.recall.unified_answer import UnifiedOptions
from autology.tools.project import ServedProject

TEXT = "## Decision\nOrders and invoices are kept in PostgreSQL, one database with a schema per service."


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ServedProject:
    for name in ("CLAUDE_CONFIG_DIR", "AUTOLOGY_DATA_DIR", "AUTOLOGY_CACHE_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    (tmp_path / "shop" / ".autology").mkdir(parents=True)
    made = ServedProject(str(tmp_path / "shop"))
    capture(made.graph, Material("Storage", TEXT, "decision"))
    dates = "Dates are shown in the zone of the user, and used as ISO 8601 in every API."
    capture(made.graph, Material("Dates", dates, "convention"))
    return made


def test_a_hit_has_the_same_score_in_every_tool(project: ServedProject) -> None:
    query = "which database do we use for invoices?"
    (hit,) = search(project.graph, NodeQuery(query)).hits
    document_hit = search_documents(project.library, query).hits[0]
    options = UnifiedOptions(only_answers=True)
    result = unified.search(project.conversation_search, project.library, query, options, "test").results[0]
    assert hit.node.id == document_hit.source.id == result.id
    assert hit.score == document_hit.likelihood == result.relevance
    assert hit.score > 0.6


def test_an_unrelated_note_is_unlikely_however_few_there_are(project: ServedProject) -> None:
    hits = search(project.graph, NodeQuery("which database do we use for invoices?", limit=10)).hits
    assert [hit.node.title for hit in hits if hit.score > 0.4] == ["Storage"]


def test_an_exact_title_is_certain(project: ServedProject) -> None:
    assert search(project.graph, NodeQuery("storage")).hits[0].score == 1.0


def test_what_nothing_speaks_of_is_named_and_nothing_answers(project: ServedProject) -> None:
    answer = search(project.graph, NodeQuery("why no Kafka between services and invoices?"))
    assert not answer.verdict.is_answered
    assert answer.verdict.absent == ("Kafka",)
    assert answer.hits == ()
    assert [hit.node.title for hit in answer.nearest] == ["Storage"]


def test_a_limit_that_is_given_is_filled_and_the_verdict_said_all_the_same(project: ServedProject) -> None:
    answer = search(project.graph, NodeQuery("why no Kafka between services and invoices?", limit=5))
    assert [hit.node.title for hit in answer.hits] == ["Storage"]
    assert not answer.verdict.is_answered
    results = search_documents(project.library, "why no Kafka between services and invoices?")
    assert results.hits
    assert not strong(results)
    options = UnifiedOptions(only_answers=True)
    found = unified.search(project.conversation_search, project.library, "why no Kafka for invoices?", options, "test")
    assert (found.results, found.verdict.absent) == ((), ("Kafka",))


def test_a_memory_that_does_not_answer_is_only_the_nearest(project: ServedProject) -> None:
    answer = find(project.memories, Request("which Grafana dashboards exist?"))
    assert answer.items == ()
    assert not answer.verdict.is_answered
    assert "Grafana" in answer.verdict.absent


def test_a_misspelt_word_is_searched_as_what_it_means(project: ServedProject) -> None:
    (hit,) = search(project.graph, NodeQuery("why postgresqll")).hits
    assert hit.node.title == "Storage"


@pytest.mark.parametrize("words", ["", "???", "the of and", "\x00", "\ud800", "x" * 9_000, "词" * 50, "a_b.c/d " * 500])
def test_no_question_breaks_anything(project: ServedProject, words: str) -> None:
    asked = IndexedQuestion(project.graph.index, words)
    assert len(asked.matches([Passage("x", "", "some text"), Passage("y", "", "")])) == 2


@pytest.mark.parametrize(
    "query",
    [
        "welche Datenbank nutzen wir für Rechnungen?",
        "¿qué base de datos usamos para facturas?",
        "请求书、发票用什么数据库？",
        "請求書のデータベースは何ですか",
    ],
)
def test_a_question_in_another_language_is_answered_by_what_was_recorded_in_english(
    project: ServedProject, query: str
) -> None:
    answer = search(project.graph, NodeQuery(query))
    assert answer.hits[0].node.title == "Storage"
    assert answer.verdict.is_answered


@pytest.mark.parametrize(
    "query",
    [
        "warum haben wir den leisen Lüfter gekauft?",
        "pourquoi avons-nous acheté le ventilateur silencieux ?",
        "¿por qué compramos el ventilador silencioso?",
        "为什么买了静音风扇？",
        "静かな扇風機を買ったのはなぜですか",
    ],
)
def test_everyday_words_of_another_language_find_what_was_said_in_english(project: ServedProject, query: str) -> None:
    capture(project.graph, Material("Cooling", "We buy a quiet fan for the meeting room, not a loud one.", "decision"))
    assert search(project.graph, NodeQuery(query)).hits[0].node.title == "Cooling"


def test_a_chinese_word_keeps_the_letters_that_also_ask(project: ServedProject) -> None:
    capture(project.graph, Material("Accounts", "Each user of the meeting app has one account.", "decision"))
    understood = question_words.understood(project.graph.index, "用户和会议应用怎么了")
    assert {"user", "meeting", "app"} <= set(understood.meaning.split())


def test_a_word_of_three_letters_is_translated_and_the_name_of_software_is_not(project: ServedProject) -> None:
    capture(project.graph, Material("Links", "The network of the office; a graph of its traffic.", "decision"))
    understood = question_words.understood(project.graph.index, "¿por qué falla la red en Grafana?")
    assert "network" in understood.meaning.split()
    assert "graph" not in understood.meaning.split()


def test_a_word_that_the_index_holds_as_it_is_means_itself(project: ServedProject) -> None:
    capture(project.graph, Material("Rechnungen", "Rechnungen stehen je Mandant in einem Schema.", "decision"))
    answer = search(project.graph, NodeQuery("wo stehen die Rechnungen je Mandant?"))
    assert answer.hits[0].node.title == "Rechnungen"


def test_a_part_of_a_name_is_no_misspelling(project: ServedProject) -> None:
    capture(
        project.graph, Material("Mail", "Mails that bounce are marked, and nothing is sent there again.", "decision")
    )
    answer = search(project.graph, NodeQuery("which PgBouncer mode do we run?"))
    assert answer.verdict.absent[:1] == ("PgBouncer",)


def test_a_single_rare_word_in_an_english_question_is_not_translated(project: ServedProject) -> None:
    capture(project.graph, Material("Status", "The status of an order is an enum.", "decision"))
    answer = search(project.graph, NodeQuery("is zustand still what the orders page uses?"))  # German for status
    assert "zustand" in answer.verdict.absent


def test_what_is_asked_for_need_not_be_said(project: ServedProject) -> None:
    title, text = "Invoices", "Invoices are rendered by Typst, which is fast, from one template per language."
    capture(project.graph, Material(title, text, "decision"))
    assert [hit.node.title for hit in search(project.graph, NodeQuery("which GPU renders invoices")).hits] == [title]
    assert not search(project.graph, NodeQuery("invoices by GPU")).verdict.is_answered


def test_a_name_of_several_words_is_absent_though_its_parts_are_known(project: ServedProject) -> None:
    capture(project.graph, Material("Partners", "Their spec says which orders to augment with prices.", "decision"))
    answer = search(project.graph, NodeQuery("is SpecAugment switched on"))
    assert not answer.verdict.is_answered
    assert answer.verdict.absent[-1] == "SpecAugment"


def test_a_form_of_an_english_word_is_no_misspelling(project: ServedProject) -> None:
    capture(project.graph, Material("Audio", "Calls are kept as audio for ten days.", "decision"))
    assert "audits" in search(project.graph, NodeQuery("who audits the calls?")).verdict.absent
