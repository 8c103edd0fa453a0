"""A new connection is answered before the SDK is loaded, with the SDK's own answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from autology.startup import message_checks, recorded_answers
from autology.startup.early_answers import REPLAYED, EarlyAnswers
from autology.startup.recorded_answers import RecordedAnswers
from autology.startup.serving import GROUPS
from buildtools.environments import development
from buildtools.project import Project
from buildtools.recorded_answers import check
from buildtools.run_programs import Failed
from tests.plugin.executable_standin import WORK, homes, users_python
from tests.plugin.served import DISCOVER, ENVELOPE, INITIALIZE, ROOT, served

pytestmark = pytest.mark.xdist_group("starts")

EXCHANGES = os.environ.get("AUTOLOGY_EXCHANGES", "60")
"""Random conversations held with this server and with the SDK alone; each takes 0.1 to 0.3 seconds."""
LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of answers that a build records."""
    file = tmp_path_factory.mktemp("recorded") / "answers.json"
    python = development(Project(ROOT, WORK))
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
    subprocess.run([python, ROOT / "buildtools" / "recorded_answers.py", file], env=environment, check=True)
    return file


@pytest.fixture
def answers(recorded: Path) -> EarlyAnswers:
    record = json.loads(recorded.read_text(encoding="utf-8"))
    every_group = record["answers"][",".join(GROUPS)]
    return EarlyAnswers(RecordedAnswers(record["handshake"], record["envelope"], record["pieces"], every_group))


@pytest.fixture(scope="module")
def pyz() -> str:
    executable = os.environ.get("AUTOLOGY_EXECUTABLE")
    if not executable:
        pytest.fail("AUTOLOGY_EXECUTABLE names no executable: `python3 build.py test` builds it and sets that")
    return executable


def line(method: str, id: object = 1, **params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode() + b"\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each server is a fork of one process")
def test_random_conversations_have_the_same_answers_as_with_the_sdk_alone(recorded: Path) -> None:
    assert exchange(recorded, EXCHANGES) == f"{EXCHANGES} conversations, 0 differ\n"


def exchange(recorded: Path, count: str) -> str:
    """Return what tests.plugin.early_exchange prints."""
    command = [sys.executable, "-m", "tests.plugin.early_exchange", str(recorded), "1", count]
    path = os.pathsep.join([str(ROOT / "server"), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": path}
    process = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (process.returncode, process.stderr) == (0, ""), process.stdout
    return process.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each server is a fork of one process")
def test_each_recorded_answer_is_byte_for_byte_what_the_sdk_says(recorded: Path) -> None:
    said = exchange(recorded, "every")
    compared = int(said.split()[0])
    assert said == f"{compared} answers, 0 differ\n"
    assert compared > 16 * 5 * len(LISTS)


@pytest.mark.parametrize("withheld", ["", "knowledge", "documents", "conversations", "memory"])
def test_the_executable_answers_as_the_sdk_does(pyz: str, tmp_path: Path, withheld: str) -> None:
    (tmp_path / "project").mkdir()
    environment = homes(tmp_path) | ({f"AUTOLOGY_TOOLS_{withheld.upper()}": "false"} if withheld else {})
    said: list[list[dict[str, Any]]] = []
    for early, is_modern in product(("on", "off"), (True, False)):
        command = (users_python(), "-I", "-S", pyz, "serve")
        with served(tmp_path / "project", environment | {"AUTOLOGY_EARLY_ANSWERS": early}, command=command) as server:
            server.send(DISCOVER if is_modern else INITIALIZE)
            results = [server.answer("probe-1" if is_modern else 0)]
            results += [server.ask(method, {"_meta": ENVELOPE} if is_modern else {}) for method in LISTS]
            assert all("result" in result for result in results)
            said.append(results)
    assert said[:2] == said[2:]


def test_the_record_has_every_combination_of_groups_and_every_version(recorded: Path) -> None:
    record = json.loads(recorded.read_text(encoding="utf-8"))
    assert len(record["answers"]) == 2 ** len(GROUPS)
    for by_version in record["answers"].values():
        assert list(by_version) == [*record["handshake"], record["envelope"]]
        for version, methods in by_version.items():
            opening = "server/discover" if version == record["envelope"] else "initialize"
            assert {opening, *LISTS} <= set(methods)


def test_a_build_whose_answers_differ_from_the_record_fails(tmp_path: Path) -> None:
    code = "import os, sys; [print(os.environ['AUTOLOGY_EARLY_ANSWERS'], line) for line in sys.stdin]"
    with pytest.raises(Failed, match="recorded answers for version 2025-11-25 of the protocol differ"):
        check([sys.executable, "-c", code], os.environ, tmp_path)


def test_source_without_a_build_leaves_all_answers_to_the_sdk() -> None:
    assert recorded_answers.load(GROUPS) is None


def test_the_request_that_opens_the_connection_is_handled_by_the_sdk_again_under_another_id(
    answers: EarlyAnswers,
) -> None:
    opening = json.dumps(INITIALIZE).encode()
    answer, again = answers.reply(opening)
    assert answer is not None
    assert again is not None
    assert json.loads(answer)["id"] == 0
    assert json.loads(again) == {**INITIALIZE, "id": f"{REPLAYED}1"}
    answer, again = answers.reply(line("tools/list"))
    assert answer is not None
    assert again is None
    assert answers.tools_listed


def test_a_waiting_call_lets_later_lists_pass_and_can_be_cancelled(answers: EarlyAnswers) -> None:
    answers.reply(json.dumps(INITIALIZE).encode())
    call = line("tools/call", 7, name="autology_query", arguments={})
    assert answers.reply(call) == (None, call)
    assert answers.reply(line("tools/list", 8))[0] is not None
    answers.reply(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}')
    assert answers.cancelled == call


@pytest.mark.parametrize(
    "odd",
    [
        line("tools/list", cursor="x"),
        line("tools/list", _meta={"io.modelcontextprotocol/protocolVersion": "2026-07-28"}),
        line("server/guess"),
        line("initialize"),
        line("ping", id=1.5),
        line("ping", id=f"{REPLAYED}1"),
        b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}\n',
        b"garbage\n",
        b"[1]\n",
    ],
)
def test_after_a_line_that_is_not_beyond_doubt_all_is_left_to_the_sdk(answers: EarlyAnswers, odd: bytes) -> None:
    answers.reply(json.dumps(INITIALIZE).encode())
    assert answers.reply(odd) == (None, odd)
    assert answers.reply(line("tools/list")) == (None, line("tools/list"))


@pytest.mark.parametrize("capability", ["experimental", "extensions", "sampling", "unknown"])
def test_only_the_roots_of_a_client_have_a_switch(capability: str) -> None:
    params = INITIALIZE["params"]
    assert message_checks.is_handshake({**params, "capabilities": {"roots": {"listChanged": True}}})
    assert not message_checks.is_handshake({**params, "capabilities": {capability: {"listChanged": True}}})


def test_what_the_client_sends_today_is_beyond_doubt() -> None:
    assert message_checks.is_handshake(INITIALIZE["params"])
    assert message_checks.is_enveloped(DISCOVER["params"], "2026-07-28")
