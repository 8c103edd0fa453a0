"""What can be set, where it was set, and what a repository asked for in vain."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from autology import places
from autology.model.errors import StorageError, ValidationError
from autology.model.memory import DEDUPES, check_scope_part
from autology.text import yamlsubset

PROJECT_FILE = ".autology/config.yaml"
CLIENT_SIZE = 10_000_000
"""Bytes of the client's settings that are read; a longer file is a broken one."""


class Secret(str):
    """A text that is shown to nobody: not in a log, not in a message, not beside other settings."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'…'" if self else "''"


NO_SECRET = Secret()


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its value; *ignored* names what was not taken, and why.

    The user's word comes from the environment (``AUTOLOGY_RELATIONS_AUTOMATIC`` and so on), from the plugin's
    options in the client, or from the user's own file, and wins over the project's file, which may only narrow.
    """

    relations_automatic: float = 0.8
    """The confidence from which an inferred relation is created without asking."""
    tools_knowledge: bool = True
    """Whether the knowledge tools are offered."""
    tools_documents: bool = True
    """Whether the document tools are offered."""
    tools_conversations: bool = True
    """Whether the tools that recall conversations are offered."""
    documents_sources: tuple[str, ...] = ("docs", "notes", ".")
    """The folders that documents lie in; ``.`` is the root's own markdown, ``**`` all there is."""
    documents_excludes: tuple[str, ...] = ()
    """Patterns of documents to pass over, as in a .gitignore file."""
    meaning_model: str = "static"
    """What passages are searched by meaning with: the table that is built in, or a model that is installed."""
    hooks: bool = True
    """Whether hooks speak."""
    suggestions: bool = True
    """Whether a prompt that comes close to past work is told of it, unasked."""
    conversations: bool = True
    """Whether past sessions are read, to be found."""
    conversations_excludes: tuple[str, ...] = ()
    """Patterns of folders whose sessions are neither read nor kept."""
    archive: bool = True
    """Whether transcripts are kept when the client deletes its own."""
    archive_days: int = 0
    """How long they are kept; 0 for ever."""
    archive_megabytes: int = 2_000
    """How much room they may take; the oldest go first."""
    tools_memory: bool = True
    """Whether the memory tools are offered."""
    memory_org: str = ""
    """The organisation that memories are for when nothing else is said."""
    memory_project: str = ""
    """The project that memories are for when nothing else is said; left out, the repository's identity."""
    memory_dedupe: str = "skip"
    """What becomes of an item that says what another says already: skip, suggest or off."""
    memory_extend: int = 0
    """How often within a month a memory must have been found to live on when its time is over; 0 for never."""
    memory_purge: bool = True
    """Whether a server moves memories whose time is over to the trash, once a day."""
    memory_store_limit: int = 100
    """How often a session may store within a minute; 0 for any number."""
    memory_find_limit: int = 200
    """How often a session may search memories within a minute; 0 for any number."""
    audit: bool = True
    """Whether what is done with memories is written down."""
    hub_dsn: Secret = NO_SECRET
    """Where the team's hub is, as a DSN; better in a file of its own."""
    hub_dsn_file: str = ""
    """The file, readable by its owner only, with that DSN, or with a line ``space = DSN`` for each of several hubs."""
    hub_deadline: float = 5.0
    """Seconds after which an answer of the hub is no longer waited for."""
    workers: int = 4
    """How many processes read many files together, one for each processor at most; 1 for no other than the first."""
    ignored: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class _Rule:
    read: Callable[[str], object]
    fits: str
    narrows: Callable[[object, object], bool] | None = None  # None: the user's alone


def _share(text: str) -> float:
    value = float(text)
    if not 0.0 <= value <= 1.0:
        raise ValueError
    return value


def _switch(text: str) -> bool:
    known = {"true": True, "on": True, "yes": True, "1": True, "false": False, "off": False, "no": False, "0": False}
    return known[text.strip().lower()]


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
    """The folders in a list with commas: inside the project, each once."""
    found: dict[str, None] = {}
    for given in _listed(text):
        path = given.replace("\\", "/")
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if path.startswith(("/", "~")) or path[1:2] == ":" or any(part.startswith(".") for part in parts):
            raise ValueError
        found["/".join(parts) or "."] = None
    return tuple(found)


def _number(text: str) -> int:
    value = int(text.removesuffix(".0"))
    if value < 0:
        raise ValueError
    return value


def _patterns(text: str) -> tuple[str, ...]:
    """The patterns of folders in a list with commas, ``~`` for the home."""
    return tuple(os.path.expanduser(part).replace("\\", "/") for part in _listed(text))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _within(asked: object, given: object) -> bool:
    if not isinstance(asked, tuple) or not isinstance(given, tuple):
        return False
    return all(any(source in (folder, "**") or folder.startswith(f"{source}/") for source in given) for folder in asked)


def _more(asked: object, given: object) -> bool:
    return isinstance(asked, tuple) and isinstance(given, tuple) and set(asked) >= set(given)


def _at_least(asked: object, given: object) -> bool:
    return isinstance(asked, float) and isinstance(given, float) and asked >= given


_RULES: Mapping[str, _Rule] = {
    "relations_automatic": _Rule(_share, "a number from 0 to 1", _at_least),
    "tools_knowledge": _Rule(_switch, "true or false", lambda asked, _: asked is False),
    "tools_documents": _Rule(_switch, "true or false", lambda asked, _: asked is False),
    "tools_conversations": _Rule(_switch, "true or false", lambda asked, _: asked is False),
    "documents_sources": _Rule(_folders, "folders inside the project, as in 'docs, notes, .'", _within),
    "documents_excludes": _Rule(_listed, "patterns as in .gitignore, with commas between them", _more),
    "meaning_model": _Rule(_word, "the name of a model, as `autology models list` has it"),
    "hooks": _Rule(_switch, "true or false"),
    "suggestions": _Rule(_switch, "true or false"),
    "conversations": _Rule(_switch, "true or false"),
    "conversations_excludes": _Rule(_patterns, "patterns of folders, as in '/home/me/private, */secret*'"),
    "archive": _Rule(_switch, "true or false"),
    "archive_days": _Rule(_number, "a number of days, 0 for ever"),
    "archive_megabytes": _Rule(_number, "a number of megabytes"),
    "tools_memory": _Rule(_switch, "true or false", lambda asked, _: asked is False),
    "memory_org": _Rule(_scope, "1-100 letters, digits and any of - _ . / @"),
    "memory_project": _Rule(_scope, "1-100 letters, digits and any of - _ . / @"),
    "memory_dedupe": _Rule(_dedupe, "skip, suggest or off"),
    "memory_extend": _Rule(_number, "how often a memory must be found within a month to live on, 0 for never"),
    "memory_purge": _Rule(_switch, "true or false"),
    "memory_store_limit": _Rule(_number, "a number of calls a minute, 0 for any number"),
    "memory_find_limit": _Rule(_number, "a number of calls a minute, 0 for any number"),
    "audit": _Rule(_switch, "true or false"),
    "hub_dsn": _Rule(Secret, "an address as postgresql://ada@db.example.org/autology"),
    "hub_dsn_file": _Rule(_file_path, "the path of a file, in full"),
    "hub_deadline": _Rule(_seconds, "a number of seconds from 0.1 to 60"),
    "workers": _Rule(_number, "a number of processes, 1 for no other than the first"),
}


OPTIONS = ("conversations", "conversations_excludes", "archive", "archive_days")
"""Settings that the plugin offers as options in the client, beside those that only its tools and hooks know."""


def load(root: str, environ: Mapping[str, str] | None = None) -> Settings:
    """Return the settings that hold for the project at *root*. Nothing in a file can make this fail."""
    env = os.environ if environ is None else environ
    values: dict[str, object] = {name: getattr(Settings(), name) for name in _RULES}
    ignored: list[str] = []
    own = "the user's settings"
    _take(_secretive(_file(places.config_file(), own, ignored), own, ignored), own, values, ignored, free=True)
    _take(_options(env, ignored), "the plugin's options", values, ignored, free=True)
    told = {name: env[f"AUTOLOGY_{name.upper()}"] for name in _RULES if env.get(f"AUTOLOGY_{name.upper()}")}
    _take(told, "the environment", values, ignored, free=True)
    _take(_project_file(root, ignored), PROJECT_FILE, values, ignored, free=False)
    return Settings(**values, ignored=tuple(ignored))  # type: ignore[arg-type]


def _options(env: Mapping[str, str], ignored: list[str]) -> dict[str, str]:
    """Return what the user chose among the plugin's options: as the client tells what it starts, else as it keeps them.

    The server is told every option, chosen or not: one that is as it comes says nothing, so that the user's file does.
    """
    told: dict[str, str] = {}
    for name in OPTIONS:
        texts = (env.get(f"{prefix}_{name.upper()}", "") for prefix in ("AUTOLOGY_OPTION", "CLAUDE_PLUGIN_OPTION"))
        if text := next((text for text in texts if text and not text.startswith("${")), ""):
            told[name] = text
    if len(told) < len(OPTIONS):
        told = _kept_options(ignored) | told
    return {name: text for name, text in told.items() if not _as_it_comes(name, text)}


def _as_it_comes(name: str, text: str) -> bool:
    with suppress(ValidationError):
        return bool(checked(name, text) == getattr(Settings(), name))
    return False


def _kept_options(ignored: list[str]) -> dict[str, str]:
    """Return what the client keeps of the plugin's options, in the user's settings whatever the plugin's scope.

    A command in a terminal is told nothing. A plugin that is switched off has no say.
    """
    path = os.path.join(places.client_folder(), "settings.json")
    try:
        kept = json.loads(_text(path, CLIENT_SIZE)) or {}
        enabled = kept.get("enabledPlugins") or {}
        for plugin, said in (kept.get("pluginConfigs") or {}).items():
            if plugin.partition("@")[0] == "autology" and enabled.get(plugin) is not False:
                options = said.get("options") or {}
                return {name: _as_text(options[name]) for name in OPTIONS if options.get(name) is not None}
    except FileNotFoundError:
        pass
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        ignored.append(f"the client's settings: {path}: cannot be read: {error}")
    return {}


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def own(name: str) -> object:
    """Return what the user alone set *name* to, whatever the project: the environment's word, else the file's."""
    values: dict[str, object] = {name: getattr(Settings(), name)}
    ignored: list[str] = []
    in_file = _file(places.config_file(), "", ignored).get(name)
    for told in (in_file, os.environ.get(f"AUTOLOGY_{name.upper()}")):
        _take({name: told} if told else {}, "", values, ignored, free=True)
    return values[name]


def choose(name: str, text: str) -> None:
    """Set *name* in the user's own file; every other line stays as it is.

    Raises:
        ValidationError: the value does not fit, or the file says otherwise in a way that is not ours to edit.
        StorageError: the file cannot be written.
    """
    checked(name, text)
    path = os.path.realpath(places.config_file())  # a link into a folder of dotfiles stays a link
    try:
        lines = _lines(path)
        newline = "\r\n" if any(line.endswith("\r\n") for line in lines) else "\n"
        mark = re.compile(rf"(\ufeff?){name}[ \t]*:")
        there = next(((at, found[1]) for at, line in enumerate(lines) if (found := mark.match(line))), None)
        if there is None:
            lines.append(f"{name}: {text}{newline}")
        else:
            lines[there[0]] = f"{there[1]}{name}: {text}{newline}"
        _replace(path, "".join(lines).encode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(path, str(error), f"Write '{name}: {text}' into it by hand.") from None
    ignored: list[str] = []
    if _file(path, path, ignored).get(name) != text:
        why = ignored[0] if ignored else f"{path} sets it in another way too"
        raise ValidationError(name, f"does not hold: {why}", f"Leave one line in it: {name}: {text}")


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
    """Return the value that *text* gives the setting *name*. Raises ValidationError."""
    rule = _RULES.get(name)
    if rule is None:
        raise ValidationError(name, "is no setting", f"There are: {', '.join(_RULES)}.")
    try:
        return rule.read(text)
    except (ValueError, KeyError, ValidationError):
        shown = "what is given" if name == "hub_dsn" else f"'{text[:40]}'"
        raise ValidationError(name, f"{shown} does not fit", f"Give {rule.fits}.") from None


def _take(given: Mapping[str, str], where: str, values: dict[str, object], ignored: list[str], free: bool) -> None:
    for name, text in given.items():
        try:
            value = checked(name, text)
        except ValidationError as error:
            ignored.append(f"{where}: {name[:60]}: {error.problem}")
            continue
        narrows = _RULES[name].narrows
        if free or (narrows is not None and (value == values[name] or narrows(value, values[name]))):
            values[name] = value
        else:
            why = "is the user's to set, not the repository's" if narrows is None else "a repository may only narrow it"
            ignored.append(f"{where}: {name}: {why}")


def _file(path: str, where: str, ignored: list[str]) -> dict[str, str]:
    """The settings in a file, nested keys joined by ``_``; what cannot be read is named in *ignored*."""
    try:
        return dict(_flat(yamlsubset.load_mapping(_text(path, 100_000), above=0), ""))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        ignored.append(f"{where}: cannot be read: {error}")
        return {}


def _secretive(told: dict[str, str], where: str, ignored: list[str]) -> dict[str, str]:
    """Return what the user's file told without an address that others on this machine can read there."""
    if "hub_dsn" in told and readable_by_others(places.config_file()):
        ignored.append(f"{where}: hub_dsn: others can read the file; put it into one of its own, see hub_dsn_file")
        del told["hub_dsn"]
    return told


def readable_by_others(path: str) -> bool:
    """Whether somebody beside its owner may read or change the file at *path*."""
    if sys.platform == "win32":
        return False  # a profile's files are its user's own there
    at = os.stat(path)
    return bool(at.st_mode & (stat.S_IRWXG | stat.S_IRWXO)) or at.st_uid not in (os.getuid(), 0)


def _text(path: str, most: int) -> str:
    """Return the first *most* bytes of a regular file, as text. Raises OSError, ValueError."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise ValueError("it is no regular file")
    with open(path, "rb") as file:
        return file.read(most).decode("utf-8-sig")


def _project_file(root: str, ignored: list[str]) -> dict[str, str]:
    """The settings in the project's file; a repository's links may lead anywhere and are not followed."""
    path = os.path.join(root, *PROJECT_FILE.split("/"))
    if os.path.islink(path) or os.path.islink(os.path.dirname(path)):
        ignored.append(f"{PROJECT_FILE}: is a link, which is not followed")
        return {}
    return _file(path, PROJECT_FILE, ignored)


def _flat(value: Mapping[str, yamlsubset.Value], prefix: str) -> list[tuple[str, str]]:
    flat: list[tuple[str, str]] = []
    for key, item in value.items():
        name = f"{prefix}{key}"
        if isinstance(item, dict):
            flat += _flat(item, f"{name}_")
        elif isinstance(item, list):
            flat.append((name, ", ".join(str(each) for each in item)))
        else:
            flat.append((name, item))
    return flat
