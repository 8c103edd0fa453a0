"""A call that fails as none should leaves the server running."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from mcp.client import Client

from autology.__main__ import main
from autology.tools.project import ServedProject
from autology.tools.server import TOOLS, server


class Broken(ServedProject):
    """A project whose settings cannot even be asked for without trouble, once it is in use."""

    @property
    def graph(self) -> None:  # type: ignore[override]
        raise RuntimeError("the inside")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_an_unexpected_failure_is_a_result_and_the_server_lives(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with Client(server(Broken(str(tmp_path)))) as client:
        assert len((await client.list_tools()).tools) == len(TOOLS)
        for _ in range(2):
            result = await client.call_tool("autology_query", {"query": "x"})
            assert result.is_error
            assert "internal error (RuntimeError) in autology_query" in str(result.content)
    assert "RuntimeError: the inside" in (home / "data" / "log" / "autology.log").read_text(encoding="utf-8")
    assert "the inside" in capsys.readouterr().err


def test_a_program_that_is_neither_server_nor_hook_loads_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess

    program = (
        "import sys; from autology.__main__ import main\n"
        "before = set(sys.modules)\n"
        "try:\n    main(['--version'])\n"
        "except SystemExit:\n    pass\n"
        "print(sorted(n for n in set(sys.modules) - before if n.partition('.')[0] in ('mcp', 'pydantic')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}\n{program}"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_serve_takes_nothing_more(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code: object = main(["serve", "--help"])
    except SystemExit as ended:
        code = ended.code
    assert code in (0, 2)
