"""Settings: their values, their sources, and which of them a repository may not set."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from itertools import takewhile

from autology import places
from autology.model.errors import StorageError, ValidationError
from autology.model.memory import DEDUPES, check_scope_part
from autology.text.notes import yaml_subset

TYPE_CHECKING = False
if TYPE_CHECKING:  # a hook pays for what it loads
    from typing import Any, TypeVar

    T = TypeVar("T")

TOOL_GROUPS = ("knowledge", "documents", "conversations", "memory")
PROJECT_FILE = ".autology/config.yaml"
RECORDS = "records"
"""The key of the project's corrections of how its records are read; see `autology.core.records.corrections`."""
CLIENT_SIZE = 10_000_000
"""Bytes read of the client's settings; a longer file is treated as broken."""


class Secret(str):
    """A string that is never shown: not in a log, a message, or a list of settings."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'…'" if self else "''"


NO_SECRET = Secret()


@dataclass(frozen=True, slots=True)
class _Rule:
    read: Callable[[str], object]
    fits: str
    narrows: Callable[[object, object], bool] | None = None  # None: user settings only


def _share(text: str) -> float:
    value = float(text)
    if not 0.0 <= value <= 1.0:
        raise ValueError
    return value


def _switch(text: str) -> bool:
    words = {"true": True, "on": True, "yes": True, "1": True, "false": False, "off": False, "no": False, "0": False}
    return words[text.strip().lower()]


def _word(text: str) -> str:
    word = text.strip().lower()
    if not word.replace("-", "").isalnum():
        raise ValueError
    return word


def _scope(text: str) -> str:
    return check_scope_part("memory", text.strip())


def _file_path(text: str) -> str:
    path = os.path.expanduser(text.strip())
    if not os.path.isabs(path):
        raise ValueError
    return path


def _seconds(text: str) -> float:
    value = float(text)
    if not 0.1 <= value <= 60.0:
        raise ValueError
    return value


def _dedupe(text: str) -> str:
    word = text.strip().lower()
    if word not in DEDUPES:
        raise ValueError
    return word


def _folders(text: str) -> tuple[str, ...]:
    """The folders in a comma-separated list: inside the project, without duplicates."""
    folders: dict[str, None] = {}
    for entry in _listed(text):
        path = entry.replace("\\", "/")
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if path.startswith(("/", "~")) or path[1:2] == ":" or any(part.startswith(".") for part in parts):
            raise ValueError
        folders["/".join(parts) or "."] = None
    return tuple(folders)


def _folder(text: str) -> str:
    """The only folder in a list."""
    folders = _folders(text)
    if len(folders) != 1:
        raise ValueError
    return folders[0]


def _number(text: str) -> int:
    value = int(text.removesuffix(".0"))
    if value < 0:
        raise ValueError
    return value


def _patterns(text: str) -> tuple[str, ...]:
    """The folder patterns in a comma-separated list, with ``~`` for the home folder."""
    return tuple(os.path.expanduser(part).replace("\\", "/") for part in _listed(text))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _words(text: str) -> tuple[str, ...]:
    """The words in a comma-separated list."""
    return tuple(_word(part) for part in _listed(text))


def _any(value: object, base: object) -> bool:
    """A repository decides for itself which of its files are documents: only those that no ignore file names."""
    del value, base
    return True


def _more(value: object, base: object) -> bool:
    return isinstance(value, tuple) and isinstance(base, tuple) and set(value) >= set(base)


def _at_least(value: object, base: object) -> bool:
    return isinstance(value, float) and isinstance(base, float) and value >= base


_SWITCH = (_switch, "true or false")


def _setting(default: T, *rule: Any) -> T:
    """Return a field of Settings with *default*, and how its value is read."""
    return field(default=default, metadata={"rule": _Rule(*rule)})


def _switch_off(value: object, _: object) -> bool:
    return value is False


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings with their values; *ignored* names the rejected entries and why.

    User settings come from the environment (``AUTOLOGY_RELATIONS_AUTOMATIC`` and so on), from the plugin's options in
    the client, or from the user's own file. They win over the project's file, which may only narrow them.
    """

    relations_automatic: float = _setting(0.8, _share, "a number from 0 to 1", _at_least)
    """Minimum confidence at which an inferred relation is created automatically."""
    capture_to: str = _setting("", _folder, "a folder inside the project, such as 'docs/adr'", _any)
    """The folder of the adopted collection that captured decisions become records of; empty for ``.autology``."""
    tools_knowledge: bool = _setting(True, *_SWITCH, _switch_off)
    """Whether the knowledge tools are offered."""
    tools_documents: bool = _setting(True, *_SWITCH, _switch_off)
    """Whether the document tools are offered."""
    tools_conversations: bool = _setting(True, *_SWITCH, _switch_off)
    """Whether the conversation tools are offered."""
    documents_sources: tuple[str, ...] = _setting(
        ("*",), _folders, "folders inside the project, such as 'docs, notes, .', or '*'", _any
    )
    """What is searched: ``*`` is the project's texts but what rules leave out, ``**`` all of them, ``.`` those in the
    root itself; or folders."""
    documents_includes: tuple[str, ...] = _setting(
        (), _listed, "comma-separated rules such as 'fixtures', or patterns as in .gitignore", _any
    )
    """Rules of ``*`` that are off, and patterns of texts that are searched though a rule leaves them out."""
    documents_excludes: tuple[str, ...] = _setting((), _listed, "comma-separated patterns, as in .gitignore", _more)
    """Patterns of documents to ignore, as in a .gitignore file."""
    meaning_model: str = _setting("static", _word, "the name of a model from `autology models list`")
    """The encoder for semantic search: the built-in table, or an installed model."""
    hooks: bool = _setting(True, *_SWITCH)
    """Whether hooks are enabled."""
    suggestions: bool = _setting(True, *_SWITCH)
    """Whether hooks suggest past work that a prompt resembles."""
    conversations: bool = _setting(True, *_SWITCH)
    """Whether past sessions are indexed."""
    conversations_excludes: tuple[str, ...] = _setting(
        (), _patterns, "comma-separated patterns, such as '/home/me/private, */secret*'"
    )
    """Patterns of folders whose sessions are neither indexed nor archived."""
    agents_excludes: tuple[str, ...] = _setting((), _words, "comma-separated names of agents, such as 'codex, gemini'")
    """Other agents whose sessions are neither indexed nor archived."""
    archive: bool = _setting(True, *_SWITCH)
    """Whether transcripts are archived before the client deletes them."""
    archive_days: int = _setting(0, _number, "a number of days, 0 for no limit")
    """Days to keep archived transcripts; 0 means forever."""
    archive_megabytes: int = _setting(2_000, _number, "a number of megabytes")
    """Maximum size of the archive; the oldest transcripts are removed first."""
    tools_memory: bool = _setting(True, *_SWITCH, _switch_off)
    """Whether the memory tools are offered."""
    memory_org: str = _setting("", _scope, "1-100 letters, digits and any of - _ . / @")
    """Default organisation of memories."""
    memory_project: str = _setting("", _scope, "1-100 letters, digits and any of - _ . / @")
    """Default project of memories; if empty, the repository's identity."""
    memory_dedupe: str = _setting("skip", _dedupe, "skip, suggest or off")
    """How to treat an item that duplicates a stored one: skip, suggest or off."""
    memory_extend: int = _setting(
        0, _number, "how often a memory must be found within a month to be renewed, 0 for never"
    )
    """Number of times within a month that a memory must be found to be renewed when it expires; 0 means never."""
    memory_purge: bool = _setting(True, *_SWITCH)
    """Whether the server moves expired memories to the trash, once a day."""
    memory_store_limit: int = _setting(100, _number, "a number of calls per minute, 0 for no limit")
    """Store calls per session and minute; 0 means no limit."""
    memory_find_limit: int = _setting(200, _number, "a number of calls per minute, 0 for no limit")
    """Search calls for memories per session and minute; 0 means no limit."""
    audit: bool = _setting(True, *_SWITCH)
    """Whether operations on memories are logged."""
    hub_dsn: Secret = _setting(  # noqa: RUF009 - it is immutable
        NO_SECRET, Secret, "a DSN such as postgresql://ada@db.example.org/autology"
    )
    """The DSN of the team hub; better kept in a separate file."""
    hub_dsn_file: str = _setting("", _file_path, "an absolute file path")
    """A file readable only by its owner, with that DSN, or with a line ``space = DSN`` for each of several servers."""
    hub_deadline: float = _setting(5.0, _seconds, "a number of seconds from 0.1 to 60")
    """Seconds to wait for the hub's answer."""
    workers: int = _setting(4, _number, "a number of processes, 1 for no parallel reading")
    """Processes that read files in parallel, at most one per CPU; 1 disables parallel reading."""
    ignored: tuple[str, ...] = field(default=())

    @property
    def tool_groups(self) -> tuple[str, ...]:
        """The enabled groups of tools."""
        return tuple(group for group in TOOL_GROUPS if getattr(self, f"tools_{group}"))


_RULES: Mapping[str, _Rule] = {entry.name: entry.metadata["rule"] for entry in fields(Settings) if entry.metadata}


OPTIONS = ("conversations", "conversations_excludes", "archive", "archive_days")
"""Settings that the client offers as options of the plugin; only tools and hooks read its other options."""


YOUNG_NS = 20_000_000
"""A file this young may be rewritten without a new stamp: file system clocks tick every 4 to 10 ms."""


def load(root: str, environ: Mapping[str, str] | None = None) -> Settings:
    """Return the effective settings of the project at *root*. No file content can make this fail."""
    return _load(root, os.environ if environ is None else environ)


def state_of_settings(root: str) -> tuple[object, ...]:
    """Return a value that changes with the files and variables that :func:`load` reads for the project at *root*."""
    project = os.path.join(root, *PROJECT_FILE.split("/"))
    client = os.path.join(places.client_folder(), "settings.json")
    links = (_state_of(path, follow=False) for path in (os.path.dirname(project), project))
    variables = (entry for entry in os.environ.items() if entry[0].startswith(_VARIABLES))
    return (_state_of(places.config_file()), _state_of(client), *links, *variables)


_VARIABLES = ("AUTOLOGY_", "CLAUDE_PLUGIN_OPTION_")


def _state_of(path: str, follow: bool = True) -> tuple[int, ...] | None:
    try:
        facts = os.stat(path, follow_symlinks=follow)
    except OSError:
        return None
    is_folder = stat.S_ISDIR(facts.st_mode)  # what else comes and goes in it does not matter
    changed = () if is_folder else (facts.st_mtime_ns, facts.st_ctime_ns, facts.st_size)
    now = time.time_ns()  # once more for a file that may have been written again within a tick of its clock
    is_young = not is_folder and abs(now - facts.st_mtime_ns) < YOUNG_NS
    return (facts.st_ino, facts.st_mode, facts.st_uid, *changed, *((now,) if is_young else ()))


def _load(root: str | None, env: Mapping[str, str]) -> Settings:
    """Return the effective settings; without a *root*, the user's own."""
    defaults = Settings()
    values: dict[str, object] = {name: getattr(defaults, name) for name in _RULES}
    ignored: list[str] = []
    own = "the user's settings"
    _take(_drop_exposed_dsn(_file(places.config_file(), own, ignored), own, ignored), own, values, ignored, free=True)
    _take(_options(env, ignored), "the plugin's options", values, ignored, free=True)
    variables = {name: env[f"AUTOLOGY_{name.upper()}"] for name in _RULES if env.get(f"AUTOLOGY_{name.upper()}")}
    _take(variables, "the environment", values, ignored, free=True)
    if root is not None:
        _take(_project_file(root, ignored), PROJECT_FILE, values, ignored, free=False)
    return Settings(**values, ignored=tuple(ignored))  # type: ignore[arg-type]


def _options(env: Mapping[str, str], ignored: list[str]) -> dict[str, str]:
    """Return the plugin options that the user changed: from the environment, else from the client's settings.

    The server receives every option. One at its default is ignored, so that the user's file decides.
    """
    chosen: dict[str, str] = {}
    for name in OPTIONS:
        texts = (env.get(f"{prefix}_{name.upper()}", "") for prefix in ("AUTOLOGY_OPTION", "CLAUDE_PLUGIN_OPTION"))
        if text := next((text for text in texts if text and not text.startswith("${")), ""):
            chosen[name] = text
    if len(chosen) < len(OPTIONS):
        chosen = _client_options(ignored) | chosen
    return {name: text for name, text in chosen.items() if not _is_default(name, text)}


def _is_default(name: str, text: str) -> bool:
    with suppress(ValidationError):
        return bool(checked(name, text) == getattr(Settings(), name))
    return False


def _client_options(ignored: list[str]) -> dict[str, str]:
    """Return the plugin's options from the client's user settings, whatever scope the plugin is installed in.

    A command in a terminal does not receive them otherwise. The options of a disabled plugin are ignored.
    """
    path = os.path.join(places.client_folder(), "settings.json")
    try:
        client = json.loads(_text(path, CLIENT_SIZE)) or {}
        enabled = client.get("enabledPlugins") or {}
        for plugin, config in (client.get("pluginConfigs") or {}).items():
            if plugin.partition("@")[0] == "autology" and enabled.get(plugin) is not False:
                options = config.get("options") or {}
                return {name: _as_text(options[name]) for name in OPTIONS if options.get(name) is not None}
    except FileNotFoundError:
        pass
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        ignored.append(f"the client's settings: {path}: cannot be read: {error}")
    return {}


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def project_value(root: str, name: str) -> object | None:
    """Return the value of *name* in the file of the project at *root* that is not a setting: as written, or None."""
    path = os.path.join(root, *PROJECT_FILE.split("/"))
    if os.path.islink(path) or os.path.islink(os.path.dirname(path)):
        return None
    try:
        text = _text(path, 100_000)
    except (OSError, ValueError):
        return None
    try:
        return yaml_subset.load_mapping(text, above=0).get(name)
    except ValueError:
        return _value_in_broken_file(text, name)


def project_file_problem(root: str) -> str:
    """Return why the file of the project at *root* cannot be parsed; "" if it can be, or does not exist."""
    path = os.path.join(root, *PROJECT_FILE.split("/"))
    try:
        yaml_subset.load_mapping(_text(path, 100_000), above=0)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        return str(error)
    return ""


def _value_in_broken_file(text: str, name: str) -> object | None:
    """Return the value of *name* in a *text* that as a whole cannot be parsed: of an unresolved merge, both sides."""
    lines = [line for line in text.splitlines() if not line.startswith(CONFLICT_MARKS)]
    values: list[object] = []
    for start, line in enumerate(lines):
        if not line.startswith(f"{name}:"):
            continue
        block = [line, *takewhile(lambda one: not one.strip() or one[0] in " \t-#", lines[start + 1 :])]
        with suppress(ValueError):
            values.append(yaml_subset.load_mapping("\n".join(block), above=0).get(name))
    if values and all(isinstance(value, list) for value in values):
        return list(dict.fromkeys(str(one) for value in values if isinstance(value, list) for one in value))
    if values and all(isinstance(value, Mapping) for value in values):
        return {key: one for value in values if isinstance(value, Mapping) for key, one in value.items()}
    return values[0] if values else None


CONFLICT_MARKS = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
"""How the lines begin that version control leaves in a file whose merge is not resolved."""


def adopt_records(root: str, folders: Sequence[str]) -> bool:
    """Name *folders* under ``records`` in the file of the project at *root*; return whether it changed.

    Everything else in the file stays as it is. Folders that it names already, or switches off, are left alone.

    Raises:
        StorageError: the file cannot be read or written.
    """
    step = f"Add to it by hand: records: [{', '.join(folders)}]"
    return _change_records(root, lambda now: _with_folders(now, folders), step)


def _change_records(root: str, change: Callable[[object], object], step: str) -> bool:
    """Replace what the file of the project at *root* has under ``records`` by what *change* makes of it."""
    path = os.path.join(root, *PROJECT_FILE.split("/"))
    try:
        text = "".join(_lines(path))
        now = yaml_subset.load_mapping(text, above=0).get(RECORDS) if text.strip() else None
        value = change(now)
        if value == now:
            return False
        from autology.text.notes import frontmatter  # only for who writes

        newline = "\r\n" if "\r\n" in text else "\n"
        _replace(path, frontmatter.edit(text, {RECORDS: value}, (), newline).encode("utf-8"))
        return True
    except (OSError, ValueError) as error:
        raise StorageError(PROJECT_FILE, str(error), step) from None


def sections_expected(root: str) -> Mapping[str, tuple[str, ...]]:
    """Return which sections a complete record has, by folder, where the project at *root* sets that."""
    named = project_value(root, RECORDS)
    by_folder = named if isinstance(named, Mapping) else {}
    own = {str(folder): one.get("sections") for folder, one in by_folder.items() if isinstance(one, Mapping)}
    return {folder: tuple(map(str, sections)) for folder, sections in own.items() if isinstance(sections, list)}


def expect_sections(root: str, folder: str, sections: Sequence[str] | None) -> bool:
    """Let a complete record of the collection in *folder* have these *sections*, in the file of the project at *root*.

    None stands for those that most of its records have. Everything else in the project's file stays as it is. Returns
    whether it changed.

    Raises:
        StorageError: the file cannot be read or written.
    """
    add = f"Add to it by hand, below records and {folder}: sections: [{', '.join(sections or ())}]"
    step = f"Remove from it by hand, below records and {folder}: sections" if sections is None else add
    return _change_records(root, lambda now: _with_sections(now, folder, sections), step)


def _with_sections(now: object, folder: str, sections: Sequence[str] | None) -> object:
    if isinstance(now, str) and now:
        return now  # switched off as a whole
    listed = now if isinstance(now, list) else []
    by_folder = dict(now) if isinstance(now, Mapping) else {str(name).strip("/"): {} for name in listed}
    own = by_folder.get(folder)
    if isinstance(own, str) and own:
        return now  # switched off
    settings = own if isinstance(own, Mapping) else {}
    if sections is None and "sections" not in settings:
        return now
    others = {key: value for key, value in settings.items() if key != "sections"}
    return {**by_folder, folder: others if sections is None else {**others, "sections": list(sections)}}


def _with_folders(now: object, folders: Sequence[str]) -> object:
    if isinstance(now, Mapping):
        named = {str(name).strip("/") for name in now}
        return {**now, **{folder: {} for folder in folders if folder not in named}}
    if isinstance(now, str) and now:
        return now  # switched off as a whole
    listed = [str(one) for one in now] if isinstance(now, list) else []
    new = [folder for folder in folders if folder not in listed]
    return [*listed, *new] if new else now


def own(name: str) -> object:
    """Return the user's value of *name*, regardless of the project: from the environment, else from the file."""
    return getattr(_load(None, os.environ), name)


def choose(name: str, text: str) -> None:
    """Set *name* in the user's own file; all other lines stay unchanged.

    Raises:
        ValidationError: the value is invalid, or another line of the file overrides it.
        StorageError: the file cannot be written.
    """
    checked(name, text)
    path = os.path.realpath(places.config_file())  # a symbolic link into a dotfiles folder stays a link
    try:
        lines = _lines(path)
        newline = "\r\n" if any(line.endswith("\r\n") for line in lines) else "\n"
        mark = re.compile(rf"(\ufeff?){name}[ \t]*:")
        existing = next(((at, match[1]) for at, line in enumerate(lines) if (match := mark.match(line))), None)
        if existing is None:
            lines.append(f"{name}: {text}{newline}")
        else:
            lines[existing[0]] = f"{existing[1]}{name}: {text}{newline}"
        _replace(path, "".join(lines).encode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(path, str(error), f"Add the line '{name}: {text}' to it by hand.") from None
    ignored: list[str] = []
    if _file(path, path, ignored).get(name) != text:
        why = ignored[0] if ignored else f"{path} sets it in another way as well"
        raise ValidationError(name, f"has no effect: {why}", f"Keep only this line in it: {name}: {text}")


def _lines(path: str) -> list[str]:
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
    except FileNotFoundError:
        return []
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith(("\n", "\r")):
        lines[-1] += "\r\n" if "\r\n" in text else "\n"
    return lines


def _replace(path: str, data: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    staged = f"{path}.{os.getpid()}"
    with open(staged, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(staged, path)


def checked(name: str, text: str) -> object:
    """Return the value of the setting *name* parsed from *text*. Raises ValidationError."""
    rule = _RULES.get(name)
    if rule is None:
        raise ValidationError(name, "is not a setting", f"The settings are: {', '.join(_RULES)}.")
    try:
        return rule.read(text)
    except (ValueError, KeyError, ValidationError):
        shown = "the value" if name == "hub_dsn" else f"'{text[:40]}'"
        raise ValidationError(name, f"{shown} is not valid", f"Give {rule.fits}.") from None


def _take(texts: Mapping[str, str], origin: str, values: dict[str, object], ignored: list[str], free: bool) -> None:
    for name, text in texts.items():
        if name == RECORDS or name.startswith(f"{RECORDS}_"):
            continue
        try:
            value = checked(name, text)
        except ValidationError as error:
            ignored.append(f"{origin}: {name[:60]}: {error.problem}")
            continue
        narrows = _RULES[name].narrows
        if free or (narrows is not None and (value == values[name] or narrows(value, values[name]))):
            values[name] = value
        else:
            why = "only the user may set it, no repository" if narrows is None else "a repository may only narrow it"
            ignored.append(f"{origin}: {name}: {why}")


def _file(path: str, where: str, ignored: list[str]) -> dict[str, str]:
    """The settings in a file, nested keys joined by ``_``; an unreadable file is named in *ignored*."""
    try:
        return dict(_flat(yaml_subset.load_mapping(_text(path, 100_000), above=0), ""))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        ignored.append(f"{where}: cannot be read: {error}")
        return {}


def _drop_exposed_dsn(texts: dict[str, str], where: str, ignored: list[str]) -> dict[str, str]:
    """Return the entries of the user's file, without a DSN that other users of this machine can read there."""
    if "hub_dsn" in texts and readable_by_others(places.config_file()):
        ignored.append(f"{where}: hub_dsn: other users can read this file; use hub_dsn_file instead")
        del texts["hub_dsn"]
    return texts


def readable_by_others(path: str) -> bool:
    """Whether anyone but its owner may read or change the file at *path*."""
    if sys.platform == "win32":
        return False  # files in a user profile are private on Windows
    status = os.stat(path)
    return bool(status.st_mode & (stat.S_IRWXG | stat.S_IRWXO)) or status.st_uid not in (os.getuid(), 0)


def _text(path: str, limit: int) -> str:
    """Return the first *limit* bytes of a regular file, as text. Raises OSError, ValueError."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise ValueError("not a regular file")
    with open(path, "rb") as file:
        return file.read(limit).decode("utf-8-sig")


def _project_file(root: str, ignored: list[str]) -> dict[str, str]:
    """The settings in the project's file; symbolic links in a repository are not followed."""
    path = os.path.join(root, *PROJECT_FILE.split("/"))
    if os.path.islink(path) or os.path.islink(os.path.dirname(path)):
        ignored.append(f"{PROJECT_FILE}: symbolic links are not followed")
        return {}
    return _file(path, PROJECT_FILE, ignored)


def _flat(value: Mapping[str, yaml_subset.Value], prefix: str) -> list[tuple[str, str]]:
    flat: list[tuple[str, str]] = []
    for key, item in value.items():
        name = f"{prefix}{key}"
        if isinstance(item, dict):
            flat += _flat(item, f"{name}_")
        elif isinstance(item, list):
            flat.append((name, ", ".join(str(part) for part in item)))
        else:
            flat.append((name, item))
    return flat
