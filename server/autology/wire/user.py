"""What belongs to the user rather than to a project: models, parsers, conversations, the outbox."""

from __future__ import annotations

import os
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from autology import enforcement, places

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from autology.codegraph.parsing.installed import Languages
    from autology.core.conversations.conversation_index import ConversationIndex
    from autology.core.conversations.transcripts import Home
    from autology.core.index.index import Index
    from autology.core.index.retrieval import Encoder
    from autology.embedding.models import Models
    from autology.hub.sync.outbox import Outbox
    from autology.transcripts.agent import Agent

BUILT_IN = "static"
"""The name of the built-in encoder where a model is chosen."""


@cache
def encoder() -> Encoder | None:
    """Return the encoder for semantic search, or None if its table cannot be used."""
    from autology.embedding.caching import CachingEncoder
    from autology.embedding.static import StaticEncoder, TableError

    try:
        return CachingEncoder(StaticEncoder())
    except TableError:
        return None


def models() -> Models:
    """Return the embedding models, installed or installable."""
    return _models(os.path.join(places.data_dir(), "models"))


@lru_cache(maxsize=1)
def _models(folder: str) -> Models:
    from autology.embedding.models import Models

    return Models(folder)


def model() -> Encoder | None:
    """Return the user's chosen model for semantic search; None for the built-in table.

    Raises:
        EncodingError: it is not installed.
    """
    name = chosen_model()
    return None if name == BUILT_IN else models().encoder(name)


def chosen_model() -> str:
    """Return the name of the user's chosen model, currently."""
    path = places.config_file()
    try:
        at = os.stat(path)
        stamp = (at.st_mtime_ns, at.st_size, at.st_ino)
    except OSError:
        stamp = None
    return _chosen_model(path, stamp, os.environ.get("AUTOLOGY_MEANING_MODEL"))


@lru_cache(maxsize=1)
def _chosen_model(path: str, stamp: object, variable: str | None) -> str:  # noqa: ARG001 - another file is read again
    from autology import settings

    return str(settings.own("meaning_model"))


def scratch_index(folder: str, model: Callable[[], Encoder | None] = lambda: None) -> Index:
    """Return an empty index in *folder*, made like a project's; with *model* if given, else the chosen one."""
    from autology.index.sqlite import SqliteIndex

    return SqliteIndex(lambda: os.path.join(folder, "index.sqlite"), encoder, model)


def languages() -> Languages:
    """Return the parsers for languages other than Python, installed or installable."""
    return _languages(os.path.join(places.data_dir(), "languages"))


@lru_cache(maxsize=1)
def _languages(folder: str) -> Languages:
    from autology.codegraph.parsing.installed import Languages

    return Languages(folder)


def conversation_index() -> ConversationIndex:
    """Return the index of conversations, as it is."""
    from autology.index.conversations import SqliteConversations

    return SqliteConversations(places.conversation_index, encoder, model)


def conversation_state() -> str:
    """Return a value that changes with the index of conversations."""
    from autology.index.index_file import state

    return state(places.conversation_index())


def agents() -> Sequence[Agent]:
    """Return the agents other than Claude Code whose sessions are read."""
    from autology.transcripts.agent import Surroundings
    from autology.transcripts.agents import all_agents

    return all_agents(Surroundings(os.environ, os.path.expanduser("~"), project_roots))


def project_home(folder: str) -> Home:
    """Return the project of *folder*."""
    from autology.core.conversations.transcripts import Home
    from autology.vcs.projects import learned

    (identity, *former), root = learned(folder, places.project_registry())
    return Home(identity, root, tuple(former))


def project_roots() -> list[str]:
    """Return the folders of all projects in which Autology was used, latest first; some may be gone."""
    from autology.vcs.project_identity import registered_roots

    return registered_roots(places.project_registry())


def memory_org() -> str | None:
    """Return the organisation set in the environment, which limits all memory searches. Raises ValidationError."""
    from autology.core.memory import scopes

    return scopes.org(os.environ)


def outbox() -> Outbox:
    """Return the outbox for the team's hub."""
    from autology.hub.sync.outbox import Outbox

    return Outbox(os.path.join(places.data_dir(), "hub"))


def merge_as_text(ours: str, base: str, theirs: str, marker: int) -> int:
    """Merge the file *ours* as git merges any text; return the number of conflicts, one if git cannot."""
    from autology.vcs import merge_driver

    return merge_driver.merge_file(ours, base, theirs, marker)


def save_enforced(choices: enforcement.Enforced) -> None:
    """Store the user's *choices* of notes to enforce, durably.

    Raises:
        StorageError: the file cannot be written.
    """
    import json

    from autology import private_files
    from autology.files import atomic
    from autology.model.errors import StorageError

    path = places.enforced_notes()
    try:
        private_files.folder(os.path.dirname(path))
        atomic.write(path, f"{json.dumps(choices, indent=1, ensure_ascii=False)}\n".encode())
        private_files.restrict(path)
    except OSError as error:
        step = "Make the folder writable, or set AUTOLOGY_DATA_DIR to one that is."
        raise StorageError(path, error.strerror or str(error), step) from None


def read_client_config(path: str) -> str:
    """Return the text of another program's configuration file, "" if there is none. Raises StorageError."""
    from autology.files import client_config

    return client_config.read(path)


def write_client_config(path: str, before: str, after: str) -> None:
    """Replace the text *before* of another program's configuration file by *after*. Raises StorageError."""
    from autology.files import client_config

    client_config.replace(path, before, after)


def write_refusal(folder: str) -> str:
    """Return why the system allows no file in *folder*, "" if it does."""
    from autology.files import atomic

    return atomic.refusal(folder)
