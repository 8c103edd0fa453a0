"""Checks of the environment: Python, SQLite, the executable, the server, the folders, the settings."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from pathlib import Path

from autology import __version__, log, places, wire
from autology.cli import spawn
from autology.core.doctor import Diagnosis, Report, guarded
from autology.core.nodes import merge_driver
from autology.model.errors import EncodingError, ParsingError, StorageError
from autology.text.language.plural import counted

OLDEST_PYTHON = (3, 11)
OLDEST_SQLITE = (3, 37)
"""The first version that supports the index's table declarations."""
LITTLE_SPACE = 50_000_000
"""Free bytes below which writes may soon fail."""


def examine(root: str) -> Report:
    """Return the state of the environment of the project at *root*."""
    return (
        guarded("sqlite", _versions)
        + guarded("places", lambda: _places(root))
        + guarded("settings", lambda: _settings(root))
        + guarded("model", _model)
        + guarded("languages", lambda: _languages(root))
        + guarded("server", lambda: _server(root))
        + guarded("merges", lambda: _merging(root))
        + guarded("log", _log)
    )


def _languages(root: str) -> Report:
    """The languages that the code graph reads, and those of this project that it does not."""
    languages = wire.languages()
    named = ", ".join(["Python", *(language.name for language in languages.catalogue if languages.place.ready)])
    unread = wire.code(root).unread()
    facts = (("languages", named if languages.place.ready else unread or "Python"),)
    try:
        languages.check()
    except ParsingError as error:
        step = "Run `autology languages install` to reinstall them, or `autology languages remove` to do without."
        return Report(facts, (Diagnosis("languages", error.message, step),))
    return Report(facts)


def _versions() -> Report:
    version = wire.engine()
    facts = (
        ("autology", f"{__version__}, {spawn.executable() or 'running from source'}"),
        ("python", f"{platform.python_version()}, {sys.executable}"),
        ("sqlite", version),
    )
    problems = []
    if sys.version_info < OLDEST_PYTHON:
        problems.append(Diagnosis("python", f"is {platform.python_version()}", "Install CPython 3.11 or newer."))
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_SQLITE:
        step = "Use a Python from python.org or your system: both include a recent SQLite."
        problems.append(Diagnosis("sqlite", f"{version} is too old", step))
    return Report(facts, tuple(problems))


def _places(root: str) -> Report:
    named = {"project": root, "data": places.data_dir(), "cache": places.cache_dir()}
    facts = [*named.items(), ("settings", places.config_file())]
    problems = []
    for name, folder in named.items():
        nearest = _nearest(Path(folder))
        variable = {"data": "AUTOLOGY_DATA_DIR", "cache": "AUTOLOGY_CACHE_DIR"}.get(name)
        other = f", or set {variable} to a folder that is" if variable else ""
        if not os.access(nearest, os.W_OK):
            problem = f"the {name} folder {folder} is not writable"
            problems.append(Diagnosis("permissions", problem, f"Make it writable{other}."))
        elif variable and nearest == Path(folder) and (reason := wire.write_refusal(folder)):
            problem = f"the {name} folder {folder} is not writable: {reason}"
            problems.append(Diagnosis("disk", problem, f"Free some space{other.replace('that is', 'elsewhere')}."))
    disks = {os.stat(path).st_dev: path for path in (_nearest(Path(named[name])) for name in reversed(named))}
    for path in disks.values():
        if (free := shutil.disk_usage(path).free) < LITTLE_SPACE:
            problem = f"only {free // 1_000_000} MB are free on the disk of {path}"
            problems.append(Diagnosis("disk", problem, "Free some space: writes will fail."))
    return Report(tuple(facts), tuple(problems))


def _nearest(folder: Path) -> Path:
    return next((path for path in (folder, *folder.parents) if path.exists()), Path.cwd())


def _settings(root: str) -> Report:
    step = "Correct or remove it there; a repository's file may only narrow your own settings."
    problems = tuple(Diagnosis("settings", f"ignored: {text}", step) for text in wire.settings(root).ignored)
    return Report(findings=problems)


def _model() -> Report:
    chosen = wire.chosen_model()
    try:
        wire.model()
    except EncodingError as error:
        step = f"Run `autology models install {chosen}` to install it, or `autology models use static` to do without."
        return Report((("meaning", f"{chosen}, which cannot be used"),), (Diagnosis("meaning", error.message, step),))
    return Report((("meaning", "built-in model" if chosen == wire.BUILT_IN else chosen),))


def _server(root: str) -> Report:
    archive = spawn.executable()
    if archive is None:
        return Report((("server", "not checked: running from source, not from the executable"),))
    try:
        return Report((("server", f"answers: {spawn.server_answer(archive, root)}"),))
    except StorageError as error:
        return Report((("server", "does not answer"),), (Diagnosis("server", error.reason, spawn.STEP),))


def _merging(root: str) -> Report:
    state = wire.merge_driver(root).state()
    return merge_driver.examine(state, [path for path in state.paths if not Path(path).exists()] if state else [])


def _log() -> Report:
    lines = [line for line in log.tail(1_000) if " ERROR " in line[:40]]
    if not lines:
        return Report((("log", f"{log.path()}: empty"),))
    errors = f"{counted(len(lines), 'error')}, the last on {lines[-1][:20]}"
    return Report((("log", f"{log.path()}: {errors}; --log shows them"),))
