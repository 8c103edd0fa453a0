"""Whatever script, name or length a text has, it is found: by the tools of a server and on the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from autology.text.tokens import fold
from tests.conftest import places
from tests.plugin.fronts import run
from tests.plugin.served import Served, served

TEXTS = {
    "chinese": ("数据库连接池的最大连接数由配置文件决定。", ["连接池", "配置文件", "最大连接数由什么决定"]),
    "japanese": ("検索エンジンは転置インデックスを使います。カタカナも。", ["転置インデックス", "検索", "カタカナ"]),
    "korean": ("캐시를 무효화하려면 서버를 다시 시작하세요.", ["캐시", "무효화", "서버"]),
    "russian": ("Миграции базы данных выполняются при запуске.", ["миграции", "базы данных", "ЗАПУСКЕ"]),
    "arabic": ("تنتهي صلاحية الرمز بعد ساعة واحدة من تسجيل الدخول.", ["صلاحية الرمز", "تسجيل"]),
    "hindi": ("सर्वर को पुनः आरंभ करने के लिए यह आदेश चलाएँ।", ["पुनः आरंभ", "आदेश", "सर्वर"]),
    "thai": ("ระบบสำรองข้อมูลทุกคืนเวลาเที่ยงคืน", ["สำรองข้อมูล", "เที่ยงคืน"]),
    "greek": ("Η κρυφή μνήμη αδειάζει κάθε ώρα.", ["κρυφή μνήμη", "ΜΝΗΜΗ"]),
    "hebrew": ("הגיבוי מתבצע בכל לילה בחצות.", ["הגיבוי", "בחצות"]),
    "german": (
        "Die Größe des Übertragungspuffers genügt.",
        ["Größe", "grosse Puffer", "ubertragungspuffers"],
    ),
    "emoji": ("Ausgeliefert 🚀 wird freitags nie, sagt Zoë.", ["zoe", "freitags"]),
    "snake": ("Call max_retry_count before anything.", ["max_retry_count", "retry count", "maxRetryCount"]),
    "camel": ("The class HttpRequestParser does it.", ["HttpRequestParser", "request parser", "http_request_parser"]),
    "dotted": ("It lives in billing.invoices.render_pdf since May.", ["billing.invoices.render_pdf", "render_pdf"]),
    "path": ("See src/core/pipeline/stage_two.rs for that.", ["src/core/pipeline/stage_two.rs", "stage_two.rs"]),
    "rust": ("The borrow checker says E1234 here.", ["E1234", "e1234"]),
    "oracle": ("Whoever sees ORA-00942 lacks a grant.", ["ORA-00942", "ora 00942", "00942"]),
    "http": ("An HTTP 404 means that the tenant is gone.", ["HTTP 404", "404"]),
    "windows": ("Setup ends with 0x80070005 on old disks.", ["0x80070005", "0X80070005"]),
    "version": ("Fixed in v2.17.3-rc.1 and later.", ["v2.17.3-rc.1", "2.17.3"]),
    "cplus": ("std::unique_ptr is what owns it.", ["std::unique_ptr", "unique_ptr"]),
    "flag": ("Start it with --no-verify-ssl at your risk.", ["--no-verify-ssl", "verify ssl"]),
}
"""What each text says, and what it is looked for with."""
WHY = {
    "thai": "สำรองข้อมูล",
    "russian": "миграции",
    "arabic": "صلاحية, الرمز",
    "hindi": "पुनः, आरंभ",
    "oracle": "ora_00942",
}
"""What is said to be found, where it is not the question as it stands."""
FILLING = "Nothing of note was observed on that day either, and so the log goes on.\n\n"
DEEP = ("Marmoset", "zwölfkampf_ergebnis", "深層検索")
"""Words that stand far beyond the first 100,000 characters, beyond 150,000 and 600,000, and at the very end."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("findable")
    (root / "docs").mkdir()
    for name, (message, _) in TEXTS.items():
        (root / "docs" / f"{name}.md").write_text(f"# {name.title()}\n\n{message}\n", encoding="utf-8")
    (root / "docs" / "deep.md").write_text(deep(), encoding="utf-8")
    for number in range(40):
        filler = f"# Filler {number}\n\nAn ordinary page about ordinary matters, the {number}th of them.\n"
        (root / "docs" / f"filler-{number}.md").write_text(filler, encoding="utf-8")
    return root


def deep() -> str:
    one, two, three = DEEP
    parts = ["# Log\n\n", FILLING * 2_200, f"A {one} ran across.\n\n", FILLING * 6_500, f"Then {two}.\n\n"]
    return "".join([*parts, FILLING * 100, f"最後に{three}。"])


@pytest.fixture(scope="module")
def server(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for all of these, which knows the same texts as nodes, too."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in places(home).items():
            patch.setenv(name, value)
        assert run(project, "sync").returncode == 0  # else the first answers may wait for indexing in vain
        with served(project) as running:
            running.greet()
            for name, (message, _) in TEXTS.items():
                kept = running.call("autology_capture", title=f"On {name}", content=message, type="concept")
                assert not kept["isError"], kept
            long = deep().rstrip() + "\n"
            assert not running.call("autology_capture", title="On the log", content=long, type="concept")["isError"]
            yield running


ASKED = [(name, query) for name, (_, queries) in TEXTS.items() for query in queries]
ASKED += [("deep", word) for word in DEEP]


@pytest.mark.parametrize(("name", "query"), ASKED)
def test_the_server_finds_it_among_documents_and_among_nodes(server: Served, name: str, query: str) -> None:
    result = json.loads(server.call_when_indexed("search_documents", query=query)["content"][0]["text"])
    # A text that is long and the same as a document and as a node is one answer, which tells of the other.
    documents = [id_ for hit in result for id_ in (hit["id"], *hit.get("also", ())) if len(id_) < 36]
    assert documents[0] == f"docs/{name}.md"
    best = next(hit for hit in result if f"docs/{name}.md" in (hit["id"], *hit.get("also", ())))
    assert best["source"] in ("text", "both")
    nodes = server.call_when_indexed("autology_query", query=query, detail="full")["structuredContent"]["results"]
    title = nodes[0]["node"]["title"]
    assert title == ("On the log" if name == "deep" else f"On {name}")
    assert nodes[0]["explain"].keys() & {"words", "title"}


@pytest.mark.parametrize(
    ("name", "query", "marked"),
    [
        ("chinese", "连接池", "数据库*连接池*的最大*连接*数由"),
        ("russian", "миграции", "*Миграции* базы"),
        ("arabic", "صلاحية الرمز", "تنتهي *صلاحية* *الرمز* بعد"),
        ("hindi", "पुनः आरंभ", "सर्वर को *पुनः* *आरंभ* करने"),
        ("thai", "สำรองข้อมูล", "ระบบ*สำรองข้อมูล*ทุกคืน"),
        ("snake", "max_retry_count", "Call *max_retry_count* before"),
        ("oracle", "ORA-00942", "sees *ORA*-*00942* lacks"),
        *(("deep", word, f"*{word}*") for word in DEEP),
    ],
)
def test_the_command_line_finds_it_and_marks_it(
    server: Served, project: Path, name: str, query: str, marked: str
) -> None:
    done = run(project, "search", query)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"docs/{name}.md" in done.stdout
    assert marked in done.stdout
    assert f"why: {WHY.get(name, fold(query))} in the text" in done.stdout
