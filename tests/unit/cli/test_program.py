"""The command line's manners: help, exit codes, streams, and nothing loaded that a command does not need."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
import types
from pathlib import Path

import pytest

from autology import __version__
from autology.cli import commands, main, parser, tag_options
from autology.cli.screen import Screen
from tests.unit.cli_kit import SERVER, autology, process, records

POSIX_ONLY = pytest.mark.skipif(os.name == "nt", reason="terminals and signals are others there")
REAL = commands.commands()


@pytest.mark.parametrize("command", REAL, ids=lambda command: str(command.name))
def test_every_command_has_help_with_an_example(command: commands.Command, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command.name, "--help"]) == 0
    output = capsys.readouterr().out
    assert f"autology {command.name}" in output.split("examples:")[1]
    assert "--json" in output
    assert "--project DIR" in output
    assert "with --json:" in output


def test_help_names_every_command_also_those_that_start_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    output = capsys.readouterr().out
    names = "init doctor status capture query show update delete restore relate unrelate import sync serve hook"
    assert all(f"\n  {name} " in output for name in names.split())
    for name in ("serve", "hook"):
        assert main([name, "--help"]) == 0


def test_the_version_option_prints_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"autology {__version__}\n"


def test_a_mistyped_command_is_met_with_the_one_that_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serach"]) == 2
    assert main(["statsu"]) == 2
    assert "Did you mean `autology status`?" in capsys.readouterr().err


def test_an_unknown_command_with_no_similar_one_gets_no_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["foo"]) == 2
    assert capsys.readouterr().err.endswith("unknown command 'foo'. `autology --help` lists the commands.\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["query", "x", "--limit", "abc"], "invalid --limit 'abc': expected a whole number from 1 to 100"),
        (["query", "--min-confidence", "much"], "invalid --min-confidence 'much': expected a number from 0 to 1"),
        (["web", "--port", "http"], "invalid --port 'http': expected a whole number\n"),
        (["capture", "--title", "T", "--contnet", "x"], "unknown option --contnet. Did you mean --content?"),
        (["capture", "--title", "T", "--body=x"], "unknown option --body. `autology capture --help` lists"),
        (
            ["context", "make", "it", "quick"],
            "unexpected argument 'it'. Quote values that contain spaces.",
        ),
        (["memory", "find", "x", "--type", "obs"], "invalid --type 'obs' (choose from "),
        (["memory", "find", "x", "--type", "obs"], "Did you mean observation?"),
        (["hub", "join"], "'join' (choose from "),
    ],
)
def test_every_wrong_word_is_answered_with_what_would_be_right(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--project", str(tmp_path)]) == 2
    output = capsys.readouterr().err
    assert said in output
    assert "Did you mean init" not in output


@pytest.mark.parametrize(
    ("words", "tags"),
    [
        ("pause --tags a b", ["a", "b"]),
        ("--tags a b pause", ["a", "b"]),
        ("--tags a,b pause", ["a", "b"]),
        ("--tags a,b -- pause", ["a", "b"]),
        ("--tags a --tags b -- pause", ["a", "b"]),
        ("--tag a --tag b pause", ["a", "b"]),
        ("--tag a pause", ["a"]),
        ("--tags a b --limit 3 pause", ["a", "b"]),
    ],
)
def test_options_that_take_many_leave_the_words_behind_them(words: str, tags: list[str]) -> None:
    requests = parsed("search", *words.split())
    assert (tag_options.tags(requests), requests.words) == (tuple(tags), ["pause"])
    if not words.endswith("b pause"):
        requests = parsed("query", *words.split())
        assert (tag_options.tags(requests), requests.words) == (tuple(tags), ["pause"])


def test_a_last_value_that_is_needed_elsewhere_is_no_value_of_the_option_before_it() -> None:
    requests = parsed("memory", "find", "--type", "todo", "decision", "cache")
    assert (requests.type, requests.words) == (["todo", "decision"], ["cache"])
    requests = parsed("memory", "store", "--kind", "todo", "--tags", "a", "b", "Rotate the keys.")
    assert (requests.tags, requests.words) == (["a", "b"], ["Rotate the keys."])
    requests = parsed("query", "--tags", "a", "b", "why this database")
    assert (requests.tags, requests.words) == (["a", "b"], ["why this database"])
    requests = parsed("query", "--tags", "a", "b")
    assert (requests.tags, requests.words) == (["a", "b"], [])
    requests = parsed("update", "--tags", "a", "b", "3f2a91c0")
    assert (requests.tags, requests.id) == (["a", "b"], "3f2a91c0")


def parsed(name: str, *given: str) -> argparse.Namespace:
    command = commands.find(name)
    assert command is not None
    return parser.build(command).parse_args(given)


@pytest.mark.parametrize(
    "arguments",
    [
        *([], ["--wrong"], ["status", "--wrong"], ["query", "--type", "wish"], ["capture"], ["import"]),
        *(["import", "adr"], ["serve"], ["query", "--limit", "0"], ["search", "x", "--since", "nonsense"]),
        *(["graph", "--depth", "99"], ["clusters", "--resolution", "50"], ["recall", "x", "--limit", "0"]),
        *(["query", "--min-confidence", "7"], ["memory", "store", "Rotate the keys."], ["models", "use", "no-such"]),
    ],
)
def test_wrong_usage_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err or not arguments


def test_a_refusal_ends_with_1_and_names_the_next_step_as_a_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert autology("show", "0123456789", project=tmp_path) == 1
    output = capsys.readouterr()
    assert (output.out, output.err.startswith("autology: note not found: 0123456789.")) == ("", True)
    assert "`autology query`" in output.err
    assert autology("show", "0123456789", "--json", project=tmp_path) == 1
    assert json.loads(capsys.readouterr().out)["error"]["kind"] == "NotFoundError"


def test_options_may_stand_before_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--project", str(tmp_path), "--json", "status"]) == 0
    assert json.loads(capsys.readouterr().out)["total_nodes"] == 0


def test_an_unexpected_error_exits_with_3_and_is_logged_without_secrets(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: Path, tmp_path: Path
) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"

    def broken(asked: object, screen: Screen) -> int:
        raise RuntimeError(f"never seen before: {secret}")

    odd = types.ModuleType("autology.cli.status")
    vars(odd).update(EXAMPLES="", JSON="", arguments=lambda parser: None, run=broken)
    monkeypatch.setitem(sys.modules, "autology.cli.status", odd)
    assert main(["status"]) == 3
    output = capsys.readouterr()
    assert output.out == ""
    assert len(output.err.splitlines()) == 1
    assert "RuntimeError" in output.err
    assert "autology doctor --log" in output.err
    logged = (home / "data" / "log" / "autology.log").read_text(encoding="utf-8")
    assert "Traceback" in logged
    assert secret not in logged
    autology("doctor", "--log", project=tmp_path)
    assert "RuntimeError: never seen before" in capsys.readouterr().out


def test_status_and_query_load_neither_mcp_nor_pydantic_nor_yaml(tmp_path: Path) -> None:
    autology("capture", "--title", "A", "--content", "B", project=tmp_path)
    code = "import sys; from autology.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    for command in (["status"], ["query", "B"], ["--help"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *command],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(SERVER)},
            capture_output=True,
            text=True,
        )
        loaded = set(done.stderr.split())
        assert "autology.cli.program" in loaded
        assert not {"mcp", "pydantic", "yaml", "autology.tools", "autology.hooks"} & loaded
        others = {name for name in loaded if name.startswith("autology.cli.")}
        assert "autology.cli.doctor" not in others


def test_output_is_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    title = "Größe 漢字 ≥ 3"
    for place in ({"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}):
        done = process("capture", "--title", title, project=tmp_path, stdin="wächst ✓".encode(), env=place)
        assert done.returncode == 0, done.stderr
        assert f"✓ Captured: {title}".encode() in done.stdout


def test_a_closed_output_pipe_causes_no_error(tmp_path: Path) -> None:
    for number in range(30):
        autology("capture", "--title", f"Note {number}", "--content", "long text " * 300, project=tmp_path)
    env = {**os.environ, "PYTHONPATH": str(SERVER)}
    command = [sys.executable, "-m", "autology", "query", "text", "--limit", "100", "--json", "--detail", "full"]
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(10)
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(120) == 0


def test_text_of_notes_cannot_act_on_a_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "red \x1b[31mtext\x1b]0;title\x07 and \u202ereversed\u202c"
    autology("capture", "--title", "Plain", "--content", hostile, "--type", "concept", project=tmp_path)
    capsys.readouterr()
    for command in (["query", "red"], ["query"], ["status"]):
        autology(*command, project=tmp_path)
        assert not {"\x1b", "\x07", "\u202e"} & set(capsys.readouterr().out)


@POSIX_ONLY
def test_on_a_terminal_there_are_colours_unless_they_are_not_wanted(tmp_path: Path) -> None:
    autology("capture", "--title", "Hostile", "--content", "a \x1b[31m red\u202e one", project=tmp_path)
    assert b"\x1b[1m" in on_a_terminal(tmp_path, "query", "red")
    plain = on_a_terminal(tmp_path, "query", "red", env={"NO_COLOR": "1"})
    assert b"\x1b" not in plain
    assert b"*red*" in plain
    assert b"\x1b[31m" not in on_a_terminal(tmp_path, "query", "red")
    assert "\u202e".encode() not in on_a_terminal(tmp_path, "query", "red", "--json")


@POSIX_ONLY
def test_deleting_on_a_terminal_asks_first(tmp_path: Path) -> None:
    autology("capture", "--title", "Precious", "--content", "x", "--type", "concept", project=tmp_path)
    (file,) = (tmp_path / ".autology/nodes/concepts").glob("*.md")
    assert b"Nothing was changed" in on_a_terminal(tmp_path, "delete", file.stem, typed=b"n\n")
    assert file.exists()
    assert b"Deleted: Precious" in on_a_terminal(tmp_path, "delete", file.stem, typed=b"y\n")
    assert not file.exists()


@POSIX_ONLY
def test_declining_what_init_found_adopts_nothing_and_says_how_to_do_it_later(tmp_path: Path) -> None:
    records(tmp_path / "docs" / "adr")
    shown = on_a_terminal(tmp_path, "init", typed=b"n\n")
    assert b"nothing was adopted, as you chose. To do it later: autology init --yes" in shown
    assert b"No decision records found" not in shown
    assert not (tmp_path / ".autology/config.yaml").exists()


@POSIX_ONLY
def test_a_mistyped_hook_on_a_terminal_lists_the_hooks(tmp_path: Path) -> None:
    assert b"The hooks are post-commit, pre-compact" in on_a_terminal(tmp_path, "hook", "sesion-start", typed=b"\x04")
    piped = process("hook", "sesion-start", project=tmp_path)
    assert (piped.returncode, piped.stdout, piped.stderr) == (0, b"", b"")


@POSIX_ONLY
def test_stopping_an_import_ends_with_130_and_running_it_again_completes_it(tmp_path: Path) -> None:
    texts = {f"{n:04}-x.md": f"# {n}. Thing {n}\n\n## Decision\n\n{'Yes. ' * 200}\n" for n in range(1500)}
    records(tmp_path / "adr", texts)
    env = {**os.environ, "PYTHONPATH": str(SERVER)}
    command = [sys.executable, "-m", "autology", "import", "adr", "adr"]
    nodes = tmp_path / ".autology" / "nodes"
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        deadline = time.monotonic() + 600
        while not list(nodes.glob("*/*.md")) and running.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        _, message = running.communicate(timeout=600)
    assert running.returncode == 130, message
    assert b"Traceback" not in message
    assert b"Run the command again to resume" in message
    done = process("import", "adr", "adr", "--json", project=tmp_path)
    assert json.loads(done.stdout)["plan"]["refused"] == []
    assert len(list(nodes.glob("*/*.md"))) == 1500
    status = json.loads(process("status", "--json", project=tmp_path).stdout)
    assert (status["total_nodes"], status["unreadable"]) == (1500, [])


def on_a_terminal(folder: Path, *arguments: str, typed: bytes = b"", env: dict[str, str] | None = None) -> bytes:
    """Run a command on a terminal of its own; return what it showed there."""
    import pty

    outer, inner = pty.openpty()
    surroundings = {**os.environ, "PYTHONPATH": str(SERVER), "TERM": "xterm", **(env or {})}
    if env is None:
        surroundings.pop("NO_COLOR", None)
    os.write(outer, typed)
    with subprocess.Popen(
        [sys.executable, "-m", "autology", *arguments],
        cwd=folder,
        env=surroundings,
        stdin=inner,
        stdout=inner,
        stderr=inner,
    ) as running:
        os.close(inner)
        shown = b""
        try:
            while data := os.read(outer, 4096):
                shown += data
        except OSError:  # the other side closed
            pass
        running.wait(120)
    os.close(outer)
    return shown


# ---- streams, and words that are not quite right ------------------------------------------------


@POSIX_ONLY
@pytest.mark.parametrize(("redirected", "code"), [(">&-", 0), ("2>&-", 0), ("<&-", 0), (">/dev/full", 3)])
def test_closed_or_full_output_streams_do_not_crash_a_command(tmp_path: Path, redirected: str, code: int) -> None:
    if "full" in redirected and not Path("/dev/full").exists():
        pytest.skip("there is no such device here")
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m autology status {redirected}', sys.executable],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SERVER)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (code, False)
    assert ("standard output cannot be written" in done.stderr) is (code == 3)


PRINTING = {
    "--help": 0,
    "query --help": 0,
    "nothing --json": 2,
    "query --no --json": 2,
    "show nothing --json": 1,
    "hub status --json": 1,
    "status": 0,
    "query note --json --limit 100": 0,
    "show 00000001": 0,
    "export --format graphml": 0,
    "completion bash": 0,
}
"""Commands that make every way of printing print something, with their exit codes: argparse, refusals, text, bytes."""


@POSIX_ONLY
@pytest.mark.parametrize("taken", [0, 1], ids=["nothing", "a byte"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_changes_no_exit_code(tmp_path: Path, taken: int, unbuffered: str) -> None:
    env = {**os.environ, "PYTHONPATH": str(SERVER), "AUTOLOGY_DETACH": "off", "PYTHONUNBUFFERED": unbuffered}
    folder = tmp_path / ".autology" / "nodes" / "concepts"
    folder.mkdir(parents=True)
    for at in range(200):
        id = f"{at:08x}-1111-4222-8333-444455556666"
        head = f"---\nid: {id}\ntype: concept\ntitle: Note {at}\n---\n\n# Note {at}\n\n"
        text = "A note of many words.\n\n" * (10_000 if at == 1 else 1)
        (folder / f"{id}.md").write_text(head + text, encoding="utf-8")
    for words, code in PRINTING.items():
        reader, writer = os.pipe()
        with subprocess.Popen(
            [sys.executable, "-m", "autology", *words.split()],
            cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, stdout=writer, stderr=subprocess.PIPE,
        ) as process:  # fmt: skip
            os.close(writer)
            if taken:
                assert os.read(reader, 1), words
            os.close(reader)
            assert process.stderr
            complaints = process.stderr.read().decode()
        assert process.returncode == code, (words, complaints)
        assert "Traceback" not in complaints, words
        assert "Exception ignored" not in complaints, words


@POSIX_ONLY
def test_a_closed_stderr_does_not_change_the_exit_code(tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    for arguments, code in ((["show", "nothing"], 1), (["nothing"], 2), (["query", "--no"], 2), (["status"], 0)):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            [sys.executable, "-m", "autology", *arguments],
            cwd=tmp_path, env={**env, "PYTHONPATH": str(SERVER)}, stdout=subprocess.DEVNULL, stderr=writer,
        )  # fmt: skip
        os.close(writer)
        assert done.returncode == code, arguments


@POSIX_ONLY
def test_a_folder_that_is_gone_is_said_to_be_gone(tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && "$0" -m autology status', sys.executable],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SERVER)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, "no longer exists. Go to an existing folder" in done.stderr) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["query", "--type", "desicion"], "Did you mean decision?"),
        (["query", "--wrong"], "--wrong"),
        (["capture"], "--title"),
        (["import"], "DIR"),
        (["serach"], "unknown command"),
        (["hook"], "session-start"),
    ],
)
def test_wrong_usage_is_an_object_for_programs_too(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--json"]) == 2
    output = capsys.readouterr()
    error = json.loads(output.out)["error"]
    assert error["kind"] == "UsageError"
    assert said in error["message"]
    assert said in output.err


def test_help_and_version_are_found_under_their_other_names(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["version"], ["-V"], ["--version"]):
        assert main(words) == 0
        assert capsys.readouterr().out == f"autology {__version__}\n"
    assert main(["help"]) == 0
    assert "commands:" in capsys.readouterr().out
    assert main(["help", "query"]) == 0
    assert "usage: autology query" in capsys.readouterr().out


def test_the_hooks_events_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hook", "--help"]) == 0
    output = capsys.readouterr().out
    assert all(
        event in output
        for event in ("post-commit", "pre-command", "pre-compact", "pre-edit", "session-end", "session-start")
    )
