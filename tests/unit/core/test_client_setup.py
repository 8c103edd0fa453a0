"""Another client's configuration gets one entry and loses it again; everything else in the file stays as it is."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.core.client_setup import McpClient, clients
from autology.model.errors import ValidationError
from autology.text.config import jsonc

COMMAND = ("/usr/bin/python3", "-I", "-S", 'C:\\a "b"\\autology.pyz', "serve")
CLIENTS = {client.key: client for client in clients({}, "/home/dev")}
JSON_TEXTS = [
    "",
    "{}",
    "{}\n",
    '{"a": 1}',
    '{\n  "theme": "dark"\n}\n',
    '{\n\t"theme": "dark", // mine\n\t/* and */ "list": [1, 2, {"x": null}]\n}\n',
    '{\r\n    "a": {"b": true},\r\n    "c": "}{",\r\n}\r\n',
    '{\n  "mcpServers": {\n    "other": {"command": "x", "args": []}\n  },\n  "z": 1\n}\n',
    '{\n  "mcp": {\n    // none of it\n    "other": {"type": "remote", "url": "https://x"}\n  }\n}\n',
    '\ufeff{\n  "a": "\\u00e9\\"//"\n}\n',
]
TOML_TEXTS = [
    "",
    'model = "gpt-5"',
    'model = "gpt-5" # mine\n\n[mcp_servers.other]\ncommand = "x"\nargs = ["[mcp_servers.autology]"]\n',
    "# only a comment\n",
    '[profiles.work]\r\nmodel = "x"\r\n',
    '[[hooks]]\nname = """\n[not.a.table]\n"""\n\n# at the end\n',
]


@pytest.mark.parametrize("text", JSON_TEXTS)
@pytest.mark.parametrize("key", ["gemini", "cursor", "opencode"])
def test_an_entry_is_added_to_json_and_removed_without_a_trace(key: str, text: str) -> None:
    client = CLIENTS[key]
    edited = client.connected(text, COMMAND)
    assert client.entry_in(edited) == client.entry(COMMAND)
    comments = [line for line in text.splitlines() if "//" in line or "/*" in line]
    assert all(comment.partition("//")[2] in edited for comment in comments)
    assert client.disconnected(edited) == (text or "{}\n")


@pytest.mark.parametrize("text", TOML_TEXTS)
def test_an_entry_is_added_to_toml_and_removed_without_a_trace(text: str) -> None:
    client = CLIENTS["codex"]
    edited = client.connected(text, COMMAND)
    assert tomllib.loads(edited)["mcp_servers"]["autology"] == client.entry(COMMAND)
    assert edited.startswith(text)
    assert client.disconnected(edited).rstrip("\r\n") == text.rstrip("\r\n")


@pytest.mark.parametrize("key", sorted(CLIENTS))
def test_connecting_again_changes_nothing_but_a_moved_executable(key: str) -> None:
    client = CLIENTS[key]
    once = client.connected("", COMMAND)
    assert client.connected(once, COMMAND) == once
    moved = client.connected(once, ("/other/python3", "/new.pyz"))
    assert client.entry_in(moved) == client.entry(("/other/python3", "/new.pyz"))
    assert client.connected(moved, COMMAND) == once


def test_tables_below_the_entry_go_with_it_and_the_next_tables_comment_stays() -> None:
    text = (
        '[a]\nx = 1\n\n[mcp_servers.autology]\ncommand = "x"\n\n[mcp_servers.autology.env]\nA = "b"\n\n'
        "# about b\n[b]\ny = 2\n"
    )
    assert CLIENTS["codex"].disconnected(text) == "[a]\nx = 1\n\n# about b\n[b]\ny = 2\n"


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("gemini", "{"),
        ("gemini", "[]"),
        ("gemini", '{"mcpServers": []}'),
        ("gemini", '{"a": 1} {"b": 2}'),
        ("gemini", "[" * 10_000),
        ("cursor", '{"a": 1,, "b": 2}'),
        ("opencode", "{'mcp': {}}"),
        ("codex", "model = "),
        ("codex", 'mcp_servers = {other = {command = "x"}}\n'),
        ("codex", 'mcp_servers = "none"\n'),
        ("codex", "mcp_servers.autology = 1\nmcp_servers.other = 2\n"),
    ],
)
def test_what_cannot_be_edited_safely_is_refused(key: str, text: str) -> None:
    with pytest.raises(ValidationError, match=r"cannot be edited.*Nothing was changed"):
        CLIENTS[key].connected(text, COMMAND)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=8), VALUES, max_size=4), st.sampled_from([None, 0, 1, 4, "\t"]))
def test_any_object_is_read_and_edited(data: dict[str, object], indent: int | str | None) -> None:
    text = json.dumps(data, indent=indent)
    assert jsonc.loaded(text) == data
    edited = CLIENTS["gemini"].connected(text, COMMAND) if isinstance(data.get("mcpServers", {}), dict) else text
    assert jsonc.loaded(CLIENTS["gemini"].disconnected(edited)) == data


@given(st.text(alphabet='{}[]",:/*\n a1\\', max_size=30))
def test_no_text_breaks_the_reading_of_it(text: str) -> None:
    try:
        data = jsonc.loaded(text)
    except ValueError:
        return
    assert isinstance(data, dict)


def test_the_clients_own_variables_say_where_their_files_are(tmp_path: Path) -> None:
    environ = {"CODEX_HOME": "/c", "GEMINI_CLI_HOME": "/g", "XDG_CONFIG_HOME": str(tmp_path)}
    files = {client.key: Path(client.file).as_posix() for client in clients(environ, "/home/dev")}
    assert files["codex"] == "/c/config.toml"
    assert files["gemini"] == "/g/.gemini/settings.json"
    assert files["cursor"] == "/home/dev/.cursor/mcp.json"
    assert files["opencode"].endswith("opencode/opencode.json")
    folder = tmp_path / "opencode"
    folder.mkdir()
    (folder / "opencode.jsonc").touch()
    other: McpClient = clients(environ, "/home/dev")[-1]
    assert other.file.endswith("opencode.jsonc")
