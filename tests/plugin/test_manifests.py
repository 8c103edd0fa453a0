"""The manifests agree with each other and with the package, and the real client accepts them."""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from autology import hook_events, settings

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = ROOT / ".claude-plugin" / "plugin.json"
MARKETPLACE = ROOT / ".claude-plugin" / "marketplace.json"
EXECUTABLE = ["-I", "-S", "${CLAUDE_PLUGIN_ROOT}/dist/autology.pyz"]
EVENTS = {
    "SessionStart": ("session-start",),
    "PostToolUse": ("post-commit",),
    "UserPromptSubmit": ("prompt-submit",),
    "PreCompact": ("pre-compact",),
    "PreToolUse": ("pre-command", "pre-edit"),
    "SessionEnd": ("session-end",),
}
LONGEST_HOOK = 5  # seconds; a hook takes milliseconds, this only bounds a machine that stalls


# --- one version, one name ------------------------------------------------------------------------


def test_every_manifest_agrees_with_the_package_on_the_version() -> None:
    version = package_version()
    assert load(MANIFEST)["version"] == version
    market = load(MARKETPLACE)
    for holder in (market, *market["plugins"]):
        assert holder.get("version", version) == version
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project.get("version", version) == version
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_plugin_marketplace_and_server_are_all_called_autology() -> None:
    market = load(MARKETPLACE)
    assert load(MANIFEST)["name"] == market["name"] == "autology"
    assert [plugin["name"] for plugin in market["plugins"]] == ["autology"]
    assert list(load(ROOT / ".mcp.json")["mcpServers"]) == ["autology"]


def test_the_marketplace_points_at_the_release_branch_of_this_repository() -> None:
    source = load(MARKETPLACE)["plugins"][0]["source"]
    assert source == {"source": "github", "repo": "autology/autology", "ref": "release"}
    assert load(MANIFEST)["repository"].endswith(source["repo"])


def test_the_manifest_is_a_regular_file_and_the_one_at_the_top_is_the_same() -> None:
    assert MANIFEST.is_file()
    assert not MANIFEST.is_symlink()
    top = ROOT / "plugin.json"
    if top.is_symlink():
        assert top.resolve() == MANIFEST
    else:  # a checkout without symbolic links holds the target's name
        assert top.read_text(encoding="utf-8").strip() == ".claude-plugin/plugin.json"


def test_the_icon_is_a_square_that_the_directory_takes() -> None:
    icon = ROOT / load(MANIFEST)["icon"]
    head = icon.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", head[16:24])
    assert width == height
    assert 512 <= width <= 2048
    assert icon.stat().st_size < 2_000_000


OF_HOOKS = {"suggestions"}


# --- the server -----------------------------------------------------------------------------------


def test_the_server_is_the_executable_and_gets_every_option_of_the_user() -> None:
    server = load(ROOT / ".mcp.json")["mcpServers"]["autology"]
    assert (server["command"], server["args"]) == ("python3", [*EXECUTABLE, "serve"])
    options = load(MANIFEST)["userConfig"]
    passed = {name for value in server["env"].values() for name in re.findall(r"\$\{user_config\.(\w+)\}", value)}
    # The client tells hooks of an option by itself once the user has set it. Passed to the server it would stand
    # above the user's own file, for its default is passed too.
    assert passed == options.keys() - OF_HOOKS


def test_the_options_for_past_sessions_are_settings_with_the_same_defaults() -> None:
    options, server = load(MANIFEST)["userConfig"], load(ROOT / ".mcp.json")["mcpServers"]["autology"]
    for name in settings.OPTIONS:
        default = getattr(settings.Settings(), name)
        assert options[name]["default"] == ("" if default == () else default)
        assert server["env"][f"AUTOLOGY_OPTION_{name.upper()}"] == f"${{user_config.{name}}}"
    guide = (ROOT / "docs" / "guide" / "settings.md").read_text(encoding="utf-8")
    for name, option in options.items():
        assert f"`{name}`" in guide
        assert f"*{option['title']}*" in " ".join(guide.split()) or name.startswith("tools_")


def test_every_option_has_a_default_so_that_nothing_must_be_configured() -> None:
    for name, option in load(MANIFEST)["userConfig"].items():
        assert "default" in option, name
        assert {"type", "title", "description"} <= option.keys(), name


def test_the_repository_opened_as_a_project_does_not_start_the_server_twice() -> None:
    assert load(ROOT / ".claude" / "settings.json") == {"disabledMcpjsonServers": ["autology"]}


# --- hooks ----------------------------------------------------------------------------------------


def test_hooks_are_commands_in_exec_form_through_the_executable() -> None:
    handlers = list(hook_handlers())
    assert {event for event, _, _ in handlers} == EVENTS.keys()
    for event, _, handler in handlers:
        assert handler.keys() - {"if"} == {"type", "command", "args", "timeout"}, event
        assert (handler["type"], handler["command"]) == ("command", "python3"), event
        assert handler["args"] in [[*EXECUTABLE, "hook", name] for name in EVENTS[event]], event
        assert 0 < handler["timeout"] <= LONGEST_HOOK, event


def test_the_hooks_are_those_of_the_table() -> None:
    handlers = [
        (event.client_event, event.tools or None, condition, ["hook", name], event.seconds)
        for name, event in hook_events.EVENTS.items()
        for condition in event.conditions or (None,)
    ]
    stored = [
        (event, matcher, handler.get("if"), handler["args"][3:], handler["timeout"])
        for event, matcher, handler in hook_handlers()
    ]
    assert sorted(stored, key=str) == sorted(handlers, key=str)


def test_hooks_use_no_option_since_an_unset_one_is_an_error_there() -> None:
    assert "user_config" not in (ROOT / "hooks" / "hooks.json").read_text(encoding="utf-8")


def test_a_hook_on_bash_starts_for_git_commits_and_pull_requests_alone() -> None:
    narrowed = [(matcher, handler.get("if")) for event, matcher, handler in hook_handlers() if event == "PostToolUse"]
    assert narrowed == [("Bash", "Bash(*git*commit*)"), ("Bash", "Bash(*gh*pr*)")]


def test_every_event_has_one_handler_or_handlers_narrowed_apart() -> None:
    matchers = {(event, matcher) for event, matcher, _ in hook_handlers()}
    for wanted in matchers:
        filters = [handler.get("if") for event, matcher, handler in hook_handlers() if (event, matcher) == wanted]
        assert len(filters) == len(set(filters)), wanted
        assert len(filters) == 1 or None not in filters, wanted


def test_no_tool_starts_two_handlers_of_one_event() -> None:
    for event in EVENTS:
        tools = [matcher for name, matcher, _ in hook_handlers() if name == event]
        named = [tool for matcher in dict.fromkeys(tools) for tool in (matcher or "").split("|")]
        assert len(named) == len(set(named)), event


@pytest.mark.parametrize("event", [name for names in EVENTS.values() for name in names])
def test_every_hook_has_its_module(event: str) -> None:
    module = ROOT / "server" / "autology" / "hooks" / f"{event.replace('-', '_')}.py"
    assert module.is_file()


# --- the real client ------------------------------------------------------------------------------


def test_the_client_accepts_the_plugin_strictly(tmp_path: Path) -> None:
    report = validate(tmp_path, "--strict", str(ROOT))
    assert report["success"], report
    for part in ("autology", "capture", "explore", "analyze", "tutorial", "autology-advisor", "SessionEnd"):
        assert part in json.dumps(report["provides"]), part


def test_the_client_accepts_the_manifest_strictly(tmp_path: Path) -> None:
    report = validate(tmp_path, "--strict", str(MANIFEST))
    assert report["success"], report


def test_the_plugin_directory_would_accept_the_plugin(tmp_path: Path) -> None:
    report = validate(tmp_path, "--strict", "--profile", "directory", str(ROOT))
    assert report["success"], report


def test_the_client_rejects_a_plugin_that_is_wrong(tmp_path: Path) -> None:
    plugin = tmp_path / "wrong"
    (plugin / ".claude-plugin").mkdir(parents=True)
    wrong = {**load(MANIFEST), "author": "a string", "icon": "./none.png"}
    (plugin / ".claude-plugin" / "plugin.json").write_text(json.dumps(wrong), encoding="utf-8")
    assert not validate(tmp_path, "--strict", str(plugin))["success"]


# --- reading them ---------------------------------------------------------------------------------


def load(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8")))


def package_version() -> str:
    text = (ROOT / "server" / "autology" / "__init__.py").read_text(encoding="utf-8")
    match = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    assert match, "server/autology/__init__.py names no __version__"
    return match[1]


def hook_handlers() -> list[tuple[str, str | None, dict[str, Any]]]:
    """Return every handler as (event, matcher, handler)."""
    groups = load(ROOT / "hooks" / "hooks.json")["hooks"]
    return [
        (event, group.get("matcher"), handler)
        for event, listed in groups.items()
        for group in listed
        for handler in group["hooks"]
    ]


def validate(home: Path, *arguments: str) -> dict[str, Any]:
    """Return the client's own report, from a home of its own."""
    env = {
        **os.environ,
        "HOME": str(home),
        "USERPROFILE": str(home),
        "CLAUDE_CONFIG_DIR": str(home / "config"),
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }
    command = [client(), "plugin", "validate", "--json", *arguments]
    done = subprocess.run(
        command, env=env, capture_output=True, encoding="utf-8", timeout=600, stdin=subprocess.DEVNULL
    )
    report = dict(json.loads(done.stdout))
    assert report["success"] == (done.returncode == 0), done
    return report


def client() -> str:
    """Return the path of the Claude Code executable that the tests use."""
    named = os.environ.get("AUTOLOGY_CLIENT")
    if named:
        return named
    packages = ROOT / ".build" / "client" / "node_modules" / "@anthropic-ai"
    result = [path for path in sorted(packages.glob("claude-code-*/claude*")) if path.stem == "claude"]
    if not result:
        pytest.fail("no Claude Code client: `python3 build.py test` installs one; or name yours in AUTOLOGY_CLIENT")
    return str(result[0])
