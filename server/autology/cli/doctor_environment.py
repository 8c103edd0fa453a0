"""Checks of the environment: Python, SQLite, the executable, the server, the folders, the settings."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import sys
from pathlib import Path

from autology import __version__, enforcement, log, places
from autology.cli import client_python, spawn
from autology.codegraph.code_graph import CodeGraph
from autology.core.doctor import Diagnosis, Report, guarded
from autology.core.nodes import enforcing, merge_driver
from autology.core.nodes.graph import Graph
from autology.core.nodes.merge_driver import MergeDriver
from autology.model.errors import EncodingError, ParsingError, StorageError
from autology.settings import Settings
from autology.text.language.plural import counted
from autology.wire import user
from autology.wire.project import Project

MINIMUM_PYTHON = (3, 11)
MINIMUM_SQLITE = (3, 37)
"""The first version that supports the index's table declarations."""
LOW_DISK_SPACE = 50_000_000
"""Free bytes below which writes may soon fail."""


def examine(project: Project) -> Report:
    """Return the state of the environment of the *project*."""
    return (
        guarded("sqlite", _versions)
        + (guarded("python3", client_python.examine) if sys.platform == "win32" else Report())
        + guarded("places", lambda: _folders(project.root))
        + guarded("settings", lambda: _settings(project.settings))
        + guarded("model", _model)
        + guarded("languages", lambda: _languages(project.code))
        + guarded("server", lambda: _server(project.root))
        + guarded("enforced", lambda: _enforced(project.graph))
        + guarded("merges", lambda: _merging(project.merge_driver))
        + guarded("log", _log)
    )


def _languages(code: CodeGraph) -> Report:
    """Return the languages that the code graph reads, and those of this project that it does not."""
    languages = user.languages()
    names = ", ".join(["Python", *(language.name for language in languages.catalogue if languages.place.ready)])
    unread = code.unread()
    facts = (("languages", names if languages.place.ready else unread or "Python"),)
    try:
        languages.check()
    except ParsingError as error:
        step = "Run `autology languages install` to reinstall them, or `autology languages remove` to do without."
        return Report(facts, (Diagnosis("languages", error.message, step),))
    return Report(facts)


def _versions() -> Report:
    version = sqlite3.sqlite_version
    facts = (
        ("autology", f"{__version__}, {spawn.executable() or 'running from source'}"),
        ("python", f"{platform.python_version()}, {sys.executable}"),
        ("sqlite", version),
    )
    problems = []
    if sys.version_info < MINIMUM_PYTHON:
        problems.append(Diagnosis("python", f"is {platform.python_version()}", "Install CPython 3.11 or newer."))
    if tuple(int(part) for part in version.split(".")[:2]) < MINIMUM_SQLITE:
        step = "Use a Python from python.org or your system: both include a recent SQLite."
        problems.append(Diagnosis("sqlite", f"{version} is too old", step))
    return Report(facts, tuple(problems))


def _folders(root: str) -> Report:
    folders = {"project": root, "data": places.data_dir(), "cache": places.cache_dir()}
    facts = [*folders.items(), ("settings", places.config_file())]
    problems = []
    for name, folder in folders.items():
        nearest = _nearest(Path(folder))
        variable = {"data": "AUTOLOGY_DATA_DIR", "cache": "AUTOLOGY_CACHE_DIR"}.get(name)
        other = f", or set {variable} to a folder that is" if variable else ""
        if not os.access(nearest, os.W_OK):
            problem = f"the {name} folder {folder} is not writable"
            problems.append(Diagnosis("permissions", problem, f"Make it writable{other}."))
        elif variable and nearest == Path(folder) and (reason := user.write_refusal(folder)):
            problem = f"the {name} folder {folder} is not writable: {reason}"
            problems.append(Diagnosis("disk", problem, f"Free some space{other.replace('that is', 'elsewhere')}."))
    disks = {os.stat(path).st_dev: path for path in (_nearest(Path(folders[name])) for name in reversed(folders))}
    for path in disks.values():
        if (free := shutil.disk_usage(path).free) < LOW_DISK_SPACE:
            problem = f"only {free // 1_000_000} MB are free on the disk of {path}"
            problems.append(Diagnosis("disk", problem, "Free some space: writes will fail."))
    return Report(tuple(facts), tuple(problems))


def _nearest(folder: Path) -> Path:
    return next((path for path in (folder, *folder.parents) if path.exists()), Path.cwd())


def _settings(settings: Settings) -> Report:
    step = "Correct or remove it there; a repository's file may only narrow your own settings."
    problems = tuple(Diagnosis("settings", f"ignored: {text}", step) for text in settings.ignored)
    return Report(findings=problems)


def _model() -> Report:
    chosen = user.chosen_model()
    try:
        user.model()
    except EncodingError as error:
        step = f"Run `autology models install {chosen}` to install it, or `autology models use static` to do without."
        return Report((("meaning", f"{chosen}, which cannot be used"),), (Diagnosis("meaning", error.message, step),))
    return Report((("meaning", "built-in model" if chosen == user.BUILT_IN else chosen),))


def _server(root: str) -> Report:
    archive = spawn.executable()
    if archive is None:
        return Report((("server", "not checked: running from source, not from the executable"),))
    try:
        return Report((("server", f"answers: {spawn.server_answer(archive, root)}"),))
    except StorageError as error:
        return Report((("server", "does not answer"),), (Diagnosis("server", error.reason, spawn.STEP),))


def _enforced(graph: Graph) -> Report:
    """Return the notes that the user enforces, and those of this project whose text has changed since."""
    rows = [(id, choice, enforcing.state(graph, id, choice)) for id, choice in enforcement.load().items()]
    shown = (f"{id[:8]} {choice['answer']}: {choice['title']} ({state})" for id, choice, state in rows)
    facts = tuple(("enforced", text) for text in shown)
    findings = tuple(
        Diagnosis(
            "enforced",
            f'{id[:8]} "{choice["title"]}" is suspended: its text changed, or it rules nothing out any more',
            f"`autology enforce {id[:8]} {choice['answer']}` enforces the present text; `off` ends it.",
        )
        for id, choice, state in rows
        if state == enforcing.SUSPENDED
    )
    return Report(facts, findings)


def _merging(driver: MergeDriver) -> Report:
    state = driver.state()
    return merge_driver.examine(state, [path for path in state.paths if not Path(path).exists()] if state else [])


def _log() -> Report:
    lines = [line for line in log.tail(1_000) if " ERROR " in line[:40]]
    if not lines:
        return Report((("log", f"{log.path()}: empty"),))
    errors = f"{counted(len(lines), 'error')}, the last on {lines[-1][:20]}"
    return Report((("log", f"{log.path()}: {errors}; --log shows them"),))
