"""Memories scoped to a branch without a project: no search returns them until they get their project.

A branch belongs to a project. Earlier versions stored such memories with the user's data, visible in every project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from autology.core.content.codec import Stored
from autology.core.content.draft import Draft
from autology.core.conversations.conversation_index import ConversationIndex
from autology.core.memory.memories import USER, Memories, Root
from autology.core.memory.ports import Audit
from autology.core.memory.scopes import project_named
from autology.model.errors import ConflictError, StorageError
from autology.model.hit import Source
from autology.model.memory import Memory
from autology.model.query import Filter

CREATED = "create"
SESSION = ", session "
"""The prefix of a session in an audit's actor."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The memories that got their project, and why others did not, by path."""

    placed: tuple[Memory, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()


def strays(memories: Memories) -> list[Source]:
    """Return the user's memories with a branch but no project."""
    return [source for source in memories.read_current(memories.sources) if is_stray(source)]


def is_stray(source: Source) -> bool:
    """Whether a memory has a branch but no project, and its root does not tell the project."""
    return source.branch is not None and source.scope_project is None and source.path.startswith(USER)


def place(memories: Memories, audit: Audit, index: ConversationIndex, identity: Callable[[], str]) -> Placed:
    """Give each stray the project of the session that stored it, according to the audit; the rest stay.

    *index* knows the sessions; *identity* returns that of the current project.
    """

    def project_of(session: str) -> str | None:
        """The project's name in a scope, None if the session had several or none is known."""
        chunks = index.listed(Filter(kind=None, session=session), -1, "")
        identities = {chunk.project for chunk in chunks if chunk.project}
        if len(identities) != 1:
            return None
        project = identities.pop()
        return memories.default_scope().project if project == identity() else project_named(project) or None

    sources = strays(memories)
    if not sources:
        return Placed()
    sessions = _stored_in(audit, {source.id for source in sources})
    projects = {session: project_of(session) for session in set(sessions.values())}
    placed: list[Memory] = []
    failed: list[tuple[str, str]] = []
    for source in sources:
        project = projects.get(sessions.get(source.id, ""))
        if project is None:
            continue
        try:
            memory = _put(memories, source, project)
        except (StorageError, ConflictError) as error:
            failed.append((source.path, error.message))
            continue
        placed += [memory] if memory else []
    return Placed(tuple(placed), tuple(failed))


def _stored_in(audit: Audit, ids: Iterable[str]) -> dict[str, str]:
    """Return the sessions that stored the memories with these ids, as far as the audit knows."""
    wanted, sessions = set(ids), dict[str, str]()
    for entry in audit.entries():  # latest first: the earliest entry of an id wins
        id = entry.get("id")
        if entry.get("event") == CREATED and isinstance(id, str) and id in wanted:
            sessions[id] = _session(entry)
    return {id: session for id, session in sessions.items() if session}


def _session(entry: Mapping[str, object]) -> str:
    return str(entry.get("actor", "")).rpartition(SESSION)[2] if SESSION in str(entry.get("actor", "")) else ""


def _put(memories: Memories, source: Source, project: str) -> Memory | None:
    """Give the memory of *source* that project, and move it there if it is the current one; None if it was removed."""
    here, user = memories.roots
    with here.files.locked(), user.files.locked(), memories.index.keep_open():
        stored = memories.read_source(source)
        if stored is None or stored.entry.scope.project is not None:
            return None
        memory = replace(stored.entry, scope=replace(stored.entry.scope, project=project))
        home = memories.root_for(memory.scope, memories.default_scope())
        if home is user:
            draft = Draft(user)
            draft.replace(stored, memory)
            user.commit(draft)
        else:
            _move(memories, home, user, stored, memory)
    return memory


def _move(memories: Memories, home: Root, user: Root, stored: Stored[Memory], memory: Memory) -> None:
    """Write the new file, then remove the old one: after a kill in between, doctor reports both."""
    path = user.inner(stored.path)
    memory, data = user.codec.edit(stored, memory)
    try:
        there, _ = home.files.read(path)
    except FileNotFoundError:
        copy = Draft(home)
        copy.stage(path, None, data, memory)
        home.commit(copy)
    else:
        if there != data:
            raise StorageError(path, "another memory has its place in the project", "Delete one of the two.")
    removal = Draft(user)
    removal.remove(stored)
    user.commit(removal)
    memories.refresh(walk=True)  # the id is unique again
