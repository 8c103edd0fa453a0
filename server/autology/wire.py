"""The composition root: the only module that names concrete classes."""

from __future__ import annotations

import os
import sys
from functools import cache, lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType
    from typing import Any

    from autology.codegraph.code_graph import CodeGraph
    from autology.codegraph.parsing.installed import Languages
    from autology.core.atlas.atlas import Atlas
    from autology.core.conversations.conversation_index import ConversationIndex
    from autology.core.conversations.conversations import Conversations
    from autology.core.conversations.transcripts import Home
    from autology.core.doctor import Inspection
    from autology.core.documents.library import Library
    from autology.core.importing.originals import Originals
    from autology.core.index.index import Index
    from autology.core.index.retrieval import Encoder
    from autology.core.memory.ledger import Ledger
    from autology.core.memory.memories import Memories
    from autology.core.memory.oversight import Audit, Daily
    from autology.core.memory.status import Overseen
    from autology.core.memory.strays import Placed
    from autology.core.nodes.drift_watch import Watch
    from autology.core.nodes.graph import Graph
    from autology.core.nodes.history import History
    from autology.core.nodes.merge_driver import MergeDriver
    from autology.core.recall.conversation_search import ConversationSearch
    from autology.core.team import TeamSearch
    from autology.embedding.models import Models
    from autology.files.notices import Notices
    from autology.hub.model import Space
    from autology.hub.postgres.hub import PostgresHub
    from autology.hub.sync.background import BackgroundSender
    from autology.hub.sync.outbox import Outbox
    from autology.hub.sync.share_log import ShareLog
    from autology.index.readonly_conversations import ConversationLookup
    from autology.index.readonly_lookup import IndexLookup
    from autology.model.memory import Scope
    from autology.settings import Settings
    from autology.workers.pool import WorkerPool

PROJECTS = "projects.jsonl"
"""The list of known projects in the user's data folder."""
BUILT_IN = "static"
"""The name of the built-in encoder where a model is chosen."""

# Imports stand inside the functions: a hook pays for what it uses and nothing else.


def project_root(start: str | None = None) -> str:
    """Return the project of *start*: the nearest ``.autology`` upwards, else git's root, else *start*."""
    begin = os.path.abspath(start or os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd())
    for mark in (".autology", ".git"):
        at = begin
        while True:
            if os.path.exists(os.path.join(at, mark)) and not (mark == ".autology" and _is_home(at)):
                return at
            parent = os.path.dirname(at)
            if parent == at:
                break
            at = parent
    return begin


def graph(root: str, lasting: bool = False) -> Graph:
    """Return the graph of the project at *root*; *lasting* for a long-running caller."""
    from datetime import UTC, datetime

    from autology.core.nodes.graph import Graph
    from autology.files.node_folder import AutologyFolder
    from autology.index.sqlite import SqliteIndex

    def now() -> datetime:
        return datetime.now(UTC)

    def new_id() -> str:
        from uuid import uuid4  # loads what asks the platform for its name: 4 ms that a search need not wait for

        return str(uuid4())

    index = SqliteIndex(lambda: index_path(root), encoder, model)
    return Graph(AutologyFolder(root, notices=_notices(root, lasting)), index, now, new_id, _pool(root))


def _pool(root: str) -> WorkerPool:
    """Return the worker processes for indexing the project at *root*."""
    from autology import detached
    from autology.workers.pool import WorkerPool, processors

    def most() -> int:
        from autology import settings

        told = settings.own("workers")
        assert isinstance(told, int)
        return min(processors(), told) - 1  # this process works too

    return WorkerPool(lambda: detached.program(["worker", os.path.abspath(root)]), _greeting, most)


def work(root: str) -> int:
    """Be a worker for the project at *root*: read and preprocess the files requested on standard input."""
    from autology.model.entry import DOCUMENT, NODE
    from autology.workers.worker import work

    knowledge = graph(root)
    documents = library(knowledge, root)
    makes: dict[str, Callable[[Any], object]] = {
        NODE: knowledge.steps,
        DOCUMENT: documents.ready,
    }
    work(_greeting(), makes, sys.stdin.buffer, sys.stdout.buffer)
    return 0


def _greeting() -> bytes:
    """Return what must be equal in two processes for them to index a file in the same way."""
    from autology import __version__
    from autology.index import schema

    table = encoder()
    return repr((__version__, sys.version, schema.STAMP, table.name if table else "")).encode()


def _notices(root: str, lasting: bool) -> Notices | None:
    """Return the watcher that reports in-place edits below *root* to a long-running caller."""
    from autology.files.notices import Notices

    return Notices(os.path.abspath(root)) if lasting else None


def library(graph: Graph, root: str, lasting: bool = False) -> Library:
    """Return the documents of the project at *root*, whose graph is *graph*; *lasting* as for :func:`graph`."""
    from autology.core.documents.library import Library
    from autology.files.documents import DocumentFolder
    from autology.places import config_file
    from autology.settings import PROJECT_FILE
    from autology.vcs.git import Git

    def chosen() -> tuple[Sequence[str], Sequence[str]]:
        found = settings(root)
        return found.documents_sources, found.documents_excludes

    configs = [config_file(), os.path.join(root, *PROJECT_FILE.split("/"))]
    notices = _notices(root, lasting)
    return Library(graph, DocumentFolder(root, *chosen(), Git(root).ignored, notices, chosen, configs))


def atlas(library: Library, root: str) -> Atlas:
    """Return the atlas of the project at *root*, whose documents are *library*."""
    from autology.core.atlas.atlas import Atlas

    return Atlas(library, lambda: index_state(root))


def code(root: str) -> CodeGraph:
    """Return the code graph of the project at *root*."""
    from autology.codegraph.code_graph import CodeGraph
    from autology.codegraph.storage.facts_store import FactsStore
    from autology.codegraph.storage.source_folder import SourceFolder
    from autology.vcs.git import Git

    store = FactsStore(lambda: f"{index_path(root).removesuffix('.sqlite')}-code.sqlite")
    return CodeGraph(SourceFolder(root, Git(root).files), store, languages())


def languages() -> Languages:
    """Return the parsers for languages other than Python, installed or installable."""
    from autology import places

    return _languages(os.path.join(places.data_dir(), "languages"))


@lru_cache(maxsize=1)
def _languages(folder: str) -> Languages:
    from autology.codegraph.parsing.installed import Languages

    return Languages(folder)


def memories(graph: Graph, root: str, lasting: bool = False) -> Memories:
    """Return the memories of the project at *root*, whose graph is *graph*, and of its user; *lasting* as for that."""
    from autology import places
    from autology.core.memory import scopes
    from autology.core.memory.memories import Memories
    from autology.files.memory_folder import MemoryFolder
    from autology.vcs.project_identity import branch

    def place() -> Scope:
        told = settings(root)
        here = scopes.ScopeSources(
            told.memory_org, told.memory_project, lambda: project_identity(root), lambda: branch(root)
        )
        return scopes.default(os.environ, here)

    encode = found.encode if (found := encoder()) else None
    own = places.data_dir()
    project = MemoryFolder(root, notices=_notices(root, lasting))
    user = MemoryFolder(own, notices=_notices(own, lasting), is_private=True)
    return Memories(graph, project, user, place, encode)


def memory_org() -> str | None:
    """Return the organisation set in the environment, which limits all memory searches. Raises ValidationError."""
    from autology.core.memory import scopes

    return scopes.org(os.environ)


def has_memories(root: str) -> bool:
    """Whether any memories were ever stored for the project at *root* or its user; cheap, without side effects."""
    from autology import places

    return any(os.path.isdir(os.path.join(place, ".autology", "memory")) for place in (root, places.data_dir()))


def ledger(memories: Memories, root: str, source: str, team: Callable[[], TeamSearch | None] | None = None) -> Ledger:
    """Return the access to *memories* of the project at *root* for calls from *source*: rate-limited and audited.

    *team* returns the team's search for a find that includes it; by default the configured one.
    """
    from autology import places
    from autology.core.memory.ledger import Ledger, Limits
    from autology.files.rate_counter import FileTally

    def limits() -> Limits:
        told = settings(root)
        return Limits(told.memory_store_limit, told.memory_find_limit)

    who = lambda: actor(source)  # noqa: E731
    tally = FileTally(os.path.join(places.cache_dir(), "tally"), who)
    return Ledger(memories, audit(root), tally, who, source, limits, team or (lambda: team_search(root)))


def place_memories(memories: Memories, root: str) -> Placed:
    """Assign memories of a branch without a project to the project that stored them, as seen from the one at *root*."""
    from autology.core.memory import scopes, strays
    from autology.model.query import Filter

    def project_of(session: str) -> str | None:
        chunks = conversation_index().listed(Filter(kind=None, session=session), -1, "")
        identities = {chunk.project for chunk in chunks if chunk.project}
        if len(identities) != 1:
            return None
        identity = identities.pop()
        here = identity == project_identity(root)
        return memories.default_scope().project if here else scopes.project_named(identity) or None

    return strays.place(memories, audit(root), project_of)


def audit(root: str) -> Audit:
    """Return the audit log of memories, written if the settings enable it."""
    from datetime import UTC, datetime

    from autology import log, places
    from autology.files.audit_log import AuditLog

    folder = os.path.join(places.data_dir(), "audit")
    return AuditLog(folder, lambda: datetime.now(UTC), settings(root).audit, lambda error: log.write("audit", error))


def actor(source: str) -> str:
    """Return the caller: the user in a client's session; without one, in this server or at a terminal."""
    import getpass

    try:
        user = getpass.getuser()
    except (ImportError, KeyError, OSError):
        user = "somebody"
    if session := client_session():
        return f"{user}, session {session}"
    return f"{user}, terminal" if source == "command_line" else f"{user}, server {os.getpid()}"


def daily_purge(root: str) -> Daily:
    """Return the daily purge of memories of the project at *root* and its user."""
    from datetime import UTC, datetime

    from autology.files.once_a_day import DailyFile

    return DailyFile(f"{os.path.splitext(index_path(root))[0]}.purged", lambda: datetime.now(UTC))


def overseen(ledger: Ledger, root: str) -> Overseen:
    """Return what a status report on the memories of the project at *root* and its user examines."""
    from autology import places
    from autology.core.memory.status import Overseen
    from autology.files.memory_folder import unwritable

    told = settings(root)
    return Overseen(
        memories=ledger.memories,
        audit=ledger.audit,
        daily=daily_purge(root),
        limits=ledger.limits,
        extend=told.memory_extend,
        purges=told.memory_purge,
        unwritable=lambda: [*unwritable(root), *unwritable(places.data_dir())],
    )


def write_refusal(folder: str) -> str:
    """Return why the system allows no file in *folder*, "" if it does."""
    from autology.files import atomic

    return atomic.refusal(folder)


def conversations_path() -> str:
    """Return the path of the user's index of conversations."""
    from autology import places

    return os.path.join(places.data_dir(), "conversations.sqlite")


def conversation_index() -> ConversationIndex:
    """Return the index of conversations, as it is."""
    from autology.index.conversations import SqliteConversations

    return SqliteConversations(conversations_path, encoder, model)


def conversations(root: str | None = None) -> Conversations:
    """Return the conversations of past sessions, as far as the user's settings allow."""
    from datetime import UTC, datetime

    from autology import places
    from autology.core.conversations.conversations import Conversations
    from autology.core.conversations.sources import ConversationSettings
    from autology.transcripts.archive import FolderArchive
    from autology.transcripts.claude_code import ClaudeCode

    told = settings(root or os.getcwd())
    rules = ConversationSettings(
        told.conversations,
        told.archive,
        told.archive_days,
        told.archive_megabytes,
        told.conversations_excludes,
    )
    live = ClaudeCode(places.client_folder())
    archive = FolderArchive(os.path.join(places.data_dir(), "archive"), live)
    return Conversations(live, archive, conversation_index(), project_home, rules, lambda: datetime.now(UTC))


def memory(said: Conversations, session: Callable[[], str | None] = lambda: None) -> ConversationSearch:
    """Return the search of conversations; what *session*, the caller, still has in sight is excluded."""
    from datetime import UTC, datetime

    from autology import search_log
    from autology.core.recall.conversation_search import ConversationSearch
    from autology.core.recall.upkeep import Upkeep
    from autology.model.query import InSight
    from autology.text.language.calendar_spans import Clock

    def in_sight() -> InSight | None:
        asking = session()
        return InSight(asking, compacted_at(asking)) if asking else None

    def now() -> Clock:
        return Clock(datetime.now(UTC))

    state = lambda: _state(conversations_path())  # noqa: E731
    return ConversationSearch(said.index, Upkeep(said), state, now, search_log.note, team_search(os.getcwd()), in_sight)


def hub(root: str, org: str = "", project: str | None = None, use_replicas: bool = False) -> PostgresHub | None:
    """Return the team's hub, seen from the project at *root* or from another one; None if none is configured.

    With *use_replicas* their answers may be older than the last write: not for reads that decide what is written.

    Raises:
        ValidationError: the settings are invalid.
    """
    from autology import places
    from autology.core.memory import scopes
    from autology.hub import dsn_file
    from autology.hub.model import NO_ORG, Space
    from autology.hub.postgres.access import Access
    from autology.hub.postgres.address import parse_dsn
    from autology.hub.postgres.hub import PostgresHub
    from autology.hub.postgres.replica_positions import FileReplicaPositions
    from autology.vcs.project_identity import branch

    options = settings(root)
    dsns = dsn_file.dsns(options.hub_dsn, options.hub_dsn_file)
    if not dsns:
        return None
    own = scopes.ScopeSources(
        options.memory_org, options.memory_project, lambda: project_identity(root), lambda: branch(root)
    )
    here = scopes.default(os.environ, own)
    space = Space(org or here.org or NO_ORG, (here.project or "") if project is None else project)
    servers = [(pattern, parse_dsn(dsn, dict(os.environ))) for pattern, dsn in dsns]
    positions = FileReplicaPositions(os.path.join(places.data_dir(), "hub"))
    access = Access(encoder, deadline=options.hub_deadline, positions=positions, use_replicas=use_replicas)
    return PostgresHub(servers, space, access)


def hub_address(path: str) -> tuple[str, str]:
    """Return the name and the DSN of the server in the file at *path*.

    Raises:
        ValidationError: the file cannot be read, others can read it, or it contains no valid address.
    """
    from autology.hub import dsn_file
    from autology.hub.postgres.address import parse_dsn

    dsn = dsn_file.read_file(os.path.expanduser(path))[0][1]
    return parse_dsn(dsn, dict(os.environ)).place, dsn


def team_search(root: str) -> TeamSearch | None:
    """Return the search over all servers of the team; None if none is configured."""
    if not has_hub(root):
        return None
    from autology.hub.model import Space
    from autology.hub.search.server import HubServer
    from autology.hub.search.team import HubTeamSearch

    def here() -> Space:
        own = hub(root)
        return own.space if own else Space("")

    @cache
    def servers() -> list[HubServer]:
        own = hub(root, use_replicas=True)
        return [HubServer(server, server.spaces) for server in own.servers()] if own else []

    return HubTeamSearch(servers, settings(root).hub_deadline, here)


def asks_team(root: str, scope: Scope) -> bool:
    """Whether memories of *scope* may be on the team's hub: those of an organisation or of another project.

    Raises:
        ValidationError: the scope in the environment is invalid.
    """
    from autology.core.memory import scopes

    if not has_hub(root) or (scope.org is None and scope.project is None):
        return False
    options = settings(root)
    own = scopes.ScopeSources(options.memory_org, options.memory_project, lambda: project_identity(root), lambda: None)
    return scope.org is not None or scope.project != scopes.default(os.environ, own).project


def outbox() -> Outbox:
    """Return the user's outbox."""
    from autology import places
    from autology.hub.sync.outbox import Outbox

    return Outbox(os.path.join(places.data_dir(), "hub"))


def share_log(root: str, space: Space) -> ShareLog:
    """Return the log of what the project at *root* shared with *space*."""
    from autology import places
    from autology.hub.sync.share_log import ShareLog

    return ShareLog(os.path.join(places.data_dir(), "hub"), root, space)


def branch(root: str) -> str | None:
    """Return the branch that is checked out at *root*, or None."""
    from autology.vcs.project_identity import branch as checked_out

    return checked_out(root)


def has_hub(root: str) -> bool:
    """Whether the settings configure a hub; cheap."""
    options = settings(root)
    return bool(options.hub_dsn or options.hub_dsn_file)


def send(root: str, patience: float = 0.05) -> bool:
    """Send the changes in the project at *root* to the hub; return whether some remain.

    Raises:
        AutologyError: the hub refused, or a local file cannot be read.
    """
    from autology.hub.sync.send import send_changes

    own = hub(root)
    if own is None:
        return False
    documents = library(graph(root), root)
    items = memories(documents.graph, root)
    log = share_log(root, own.space)
    try:
        checks = (lambda: branch(root)), (lambda: has_memories(root))
        return send_changes(own, outbox(), log, documents, items, root, *checks, patience)
    finally:
        own.close()


def background_sender(root: str) -> BackgroundSender:
    """Return what calls :func:`send` in the background after each write."""
    from autology import log
    from autology.hub.sync.background import BackgroundSender

    return BackgroundSender(lambda: send(root), lambda error: log.write("hub", error))


def send_on(root: str) -> None:
    """Start a detached process that sends pending changes to the hub, if one is configured."""
    from contextlib import suppress

    from autology import detached

    if has_hub(root):
        with suppress(OSError):  # it is sent with the next write
            detached.start(["hub", "push", "--changed", "--soon"], root)


def index_state(root: str) -> str:
    """Return a value that changes with the index of the project at *root*."""
    return _state(index_path(root))


def _state(path: str) -> str:
    # Whoever commits appends to the log, or writes the file itself where that was taken in.
    told = []
    for file in (path, f"{path}-wal"):
        try:
            at = os.stat(file)
            told.append(f"{at.st_ino} {at.st_size} {at.st_mtime_ns}")
        except OSError:
            told.append("")
    return "\n".join(told)


def index_path(root: str) -> str:
    """Return the path of the index of the project at *root*: in it, unless it is not writable."""
    own = os.path.join(root, ".autology")
    cache = os.path.join(own, "cache")
    if os.path.isdir(own) and not _linked(own, cache, *_index_files(cache)) and _writable(cache, own):
        return os.path.join(cache, "index.sqlite")
    from hashlib import sha256

    from autology import places

    name = sha256(os.path.realpath(root).encode("utf-8", "surrogateescape")).hexdigest()[:24]
    return os.path.join(places.cache_dir(), "indexes", f"{name}.sqlite")


def _index_to_read(root: str) -> str:
    """Return the index for read-only looks: that of :func:`index_path`, or until it is filled the project's own.

    A folder that was made read-only has an index from before.
    """
    path = index_path(root)
    if os.path.isfile(path):
        return path
    own = os.path.join(root, ".autology")
    cache = os.path.join(own, "cache")
    return path if _linked(own, cache, *_index_files(cache)) else os.path.join(cache, "index.sqlite")


def _index_files(cache: str) -> tuple[str, ...]:
    """Return the files that SQLite writes to for the indexes in the folder *cache*."""
    logs = ("", "-wal", "-shm", "-journal")
    return tuple(f"{cache}/index{what}.sqlite{log}" for what in ("", "-code") for log in logs)


def _linked(*paths: str) -> bool:
    """Whether one of *paths* is a link: a repository's may lead anywhere."""
    return any(map(os.path.islink, paths))


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
    from autology import places

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
    from autology import places

    path = places.config_file()
    try:
        at = os.stat(path)
        stamp = (at.st_mtime_ns, at.st_size, at.st_ino)
    except OSError:
        stamp = None
    return _chosen_model(path, stamp, os.environ.get("AUTOLOGY_MEANING_MODEL"))


@lru_cache(maxsize=1)
def _chosen_model(path: str, stamp: object, told: str | None) -> str:  # noqa: ARG001 - another file is read again
    from autology import settings

    return str(settings.own("meaning_model"))


def scratch_index(folder: str, model: Callable[[], Encoder | None] = lambda: None) -> Index:
    """Return an empty index in *folder*, made like a project's; with *model* if given, else the chosen one."""
    from autology.index.sqlite import SqliteIndex

    return SqliteIndex(lambda: os.path.join(folder, "index.sqlite"), encoder, model)


def index_size(root: str) -> int:
    """Return the size in bytes of the index of the project at *root*, with its log."""
    path = index_path(root)
    return sum(os.path.getsize(file) for file in (path, f"{path}-wal") if os.path.exists(file))


def settings(root: str) -> Settings:
    """Return the effective settings of the project at *root*."""
    from autology import settings, tool_switches

    found = settings.load(root)
    tool_switches.remember(found.hooks, found.suggestions)
    return found


def history(root: str) -> History:
    """Return the version control history of the project at *root*."""
    from autology.vcs.git import Git

    return Git(root)


def watch(graph: Graph, root: str) -> Watch:
    """Return the drift detection for the notes of the project at *root*."""
    from autology.core.nodes.drift_watch import Watch

    return Watch(graph, history(root))


def merge_driver(root: str) -> MergeDriver:
    """Return git's merge driver configuration for the notes of the project at *root*."""
    from autology.vcs.driver import GitMergeDriver

    return GitMergeDriver(root)


def merge_as_text(ours: str, base: str, theirs: str, marker: int) -> int:
    """Merge the file *ours* as git merges any text; return the number of conflicts, one if git cannot."""
    from autology.vcs import driver

    return driver.merge_file(ours, base, theirs, marker)


def originals(root: str) -> Originals:
    """Return the files that the project at *root*, or a folder that the user names, can import."""
    from autology.files.originals import ProjectOriginals

    return ProjectOriginals(root)


def inspection(root: str) -> Inspection:
    """Return a read-only inspection of the folder of the project at *root*."""
    from autology.files.inspection import FolderInspection

    return FolderInspection(root)


def engine() -> str:
    """Return the version of the search engine."""
    from sqlite3 import sqlite_version

    return sqlite_version


def client_session() -> str | None:
    """Return the client's current session: from its session-start hook, else from this process's environment."""
    from autology import places

    path = os.path.join(places.cache_dir(), "sessions", str(os.getppid()))
    try:
        with open(path, encoding="utf-8") as file:
            if text := file.read(200).strip():
                return text
    except (OSError, ValueError):
        pass
    return os.environ.get("CLAUDE_CODE_SESSION_ID") or None


def surrounding_session() -> str | None:
    """Return the client's session in which a command was started; None at a terminal of its own."""
    return os.environ.get("CLAUDE_CODE_SESSION_ID") or None


def compacted_at(session: str) -> str:
    """Return the stamp of *session*'s last compaction: earlier text is out of its sight; "" for never.

    The session-start hook writes it.
    """
    from autology import places

    name = os.path.basename(session)  # what names it came from outside
    try:
        with open(os.path.join(places.cache_dir(), "sessions", f"{name}.compacted"), encoding="ascii") as file:
            return file.read(20)
    except (OSError, ValueError):
        return ""


def glance(root: str) -> IndexLookup | None:
    """Return a read-only look into the project's index at *root*, or None without a usable one."""
    from autology.index import readonly_lookup

    return readonly_lookup.open(_index_to_read(root))


def recollection() -> ConversationLookup | None:
    """Return a read-only look into the index of conversations, or None without a usable one."""
    from autology.index import readonly_conversations

    return readonly_conversations.open(conversations_path())


def project_identity(folder: str) -> str:
    """Return the identity of *folder*'s project, shared by all worktrees of a repository, wherever it is moved."""
    return project_names(folder)[0]


def project_names(folder: str) -> tuple[str, ...]:
    """Return all identities of *folder*'s project, the current one first."""
    from autology import places
    from autology.vcs.projects import learned

    return learned(folder, os.path.join(places.data_dir(), PROJECTS))[0]


def known_names(folder: str) -> tuple[str, ...]:
    """Return the same from the cache only: for a hook, which starts no process for it."""
    from autology import places
    from autology.vcs.project_identity import recognised

    return recognised(folder, os.path.join(places.data_dir(), PROJECTS))[0]


def names_meant(root: str, asked: str) -> tuple[str, ...]:
    """Return all identities of the project *name*: its folder, or the name of the one at *root*.

    Empty if it is neither: a folder around projects, or a name that only the index may know.
    """
    from autology.vcs.project_identity import marks

    folder = root if asked.strip().casefold() == os.path.basename(root).casefold() else asked
    found = marks(folder) if os.path.isabs(folder) else None
    return project_names(folder) if found and (found.place or found.common) else ()


def project_home(folder: str) -> Home:
    """Return the project of *folder*."""
    from autology import places
    from autology.core.conversations.transcripts import Home  # a hook asks for less
    from autology.vcs.projects import learned

    (identity, *former), root = learned(folder, os.path.join(places.data_dir(), PROJECTS))
    return Home(identity, root, tuple(former))


def glance_state(root: str) -> str:
    """Return `ready`, or why :func:`glance` gives none: `missing`, `old`, `newer`, `damaged`."""
    from autology.index import readonly_lookup

    return readonly_lookup.state(_index_to_read(root))


def reflog() -> ModuleType:
    """Return the reader of a repository's reflog: `repository(directory)`, `commits(repository, since)`."""
    from autology.vcs import reflog

    return reflog


def commit_files(git_dir: str, before: str, commit: str, merged: bool) -> tuple[str, ...] | None:
    """Return the paths that a commit changed, or None if git does not know."""
    from autology.vcs.commit import files

    return files(git_dir, before, commit, merged)


def _is_home(folder: str) -> bool:
    # A folder of that name in the home belongs to the user, not to every project below.
    return os.path.realpath(folder) == os.path.realpath(os.path.expanduser("~"))


def _writable(folder: str, parent: str) -> bool:
    return os.access(folder if os.path.isdir(folder) else parent, os.W_OK)
