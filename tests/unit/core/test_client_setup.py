"""Another client's configuration gets one entry and loses it again; everything else in the file stays as it is."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.core.client_setup import ClientHooks, McpClient, clients
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


# ---- hooks ---------------------------------------------------------------------------------------

RUN = COMMAND[:-1]
OTHER = {"hooks": [{"type": "command", "command": "notify hook done"}]}
HOOK_TEXTS = [
    *JSON_TEXTS,
    '{\n  "hooks": {}\n}\n',
    '{\n  "hooks": {\n    "SessionStart": [\n      {"hooks": [{"command": "other hook"}]} // mine\n    ]\n  }\n}\n',
    '{"hooks": {"SessionStart": [{"hooks": [{"command": "x"}]}, {"matcher": "clear", "hooks": []}], "Stop": []}}\n',
]


def hooks_of(key: str) -> ClientHooks:
    hooks = CLIENTS[key].hooks
    assert hooks is not None
    return hooks


@pytest.mark.parametrize("text", HOOK_TEXTS)
@pytest.mark.parametrize("key", ["codex", "gemini"])
def test_hooks_are_added_beside_others_and_removed_without_a_trace(key: str, text: str) -> None:
    hooks = hooks_of(key)
    edited = hooks.connected(text, RUN)
    added = jsonc.loaded(edited)["hooks"]
    for event, name in hooks.events.items():
        (hook,) = added[event][-1]["hooks"]
        assert shlex.split(hook["command"]) == [*RUN, "hook", f"{name}@{key}"]
    assert hooks.connected(edited, RUN) == edited
    assert "mine" not in text or "// mine" in edited
    restored = hooks.disconnected(edited)
    expected = text or "{}\n"
    if jsonc.loaded(text).get("hooks") == {}:
        assert jsonc.loaded(restored) == {}
    else:
        assert restored == expected


def test_hooks_of_a_moved_executable_replace_the_earlier_ones_and_keep_the_order_of_others() -> None:
    hooks = hooks_of("gemini")
    text = hooks.connected(json.dumps({"hooks": {"BeforeAgent": [OTHER]}}), RUN)
    moved = hooks.connected(text, ["/other/python3", "/new.pyz"])
    groups = jsonc.loaded(moved)["hooks"]["BeforeAgent"]
    assert groups[0] == OTHER
    assert [hook["command"] for hook in groups[1]["hooks"]] == ["/other/python3 /new.pyz hook prompt-submit@gemini"]
    assert len(groups) == 2


def test_a_group_that_also_has_hooks_of_others_is_left_alone() -> None:
    hooks = hooks_of("codex")
    mixed = {"hooks": [{"command": "a hook session-start@codex"}, {"command": "theirs"}]}
    text = json.dumps({"hooks": {"SessionStart": [mixed, "odd", {"hooks": 3}]}})
    assert hooks.disconnected(text) == text


@pytest.mark.parametrize("text", ['{"hooks": 1}', '{"hooks": {"SessionStart": {}}}', '{"hooks": [', '{"hooks": []}'])
def test_hooks_written_in_another_form_are_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="Nothing was changed"):
        hooks_of("codex").connected(text, RUN)
