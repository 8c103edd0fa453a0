"""A project with everything that fronts use of it: each part is made on first use."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from autology import places
from autology.wire import user
from autology.wire.location import Location
from autology.wire.part import part
from autology.wire.team import Team

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from autology.codegraph.code_graph import CodeGraph
    from autology.core.atlas.atlas import Atlas
    from autology.core.content.files import Stamp
    from autology.core.conversations.conversations import Conversations
    from autology.core.documents.library import Library
    from autology.core.long_work import Progress
    from autology.core.memory.audited_memories import AuditedMemories
    from autology.core.memory.memories import Memories
    from autology.core.memory.ports import Audit, Daily
    from autology.core.memory.status import Overseen
    from autology.core.memory.strays import Placed
    from autology.core.nodes.drift_watch import Watch
    from autology.core.nodes.graph import Graph
    from autology.core.recall.conversation_search import ConversationSearch
    from autology.core.recall.mined_queue import MinedQueue
    from autology.core.recall.session_search import SessionSearch
    from autology.core.records.collection import Correction, Discovery
    from autology.file_notifications import Notices, Watches
    from autology.files.client_memory import DocumentsAndClientMemory
    from autology.files.dismissals import Dismissals
    from autology.files.record_folders import ProjectRecordFolders
    from autology.index.sqlite import SqliteIndex
    from autology.transcripts.client_memory import ClientMemoryPlace


class Project(Location):
    """The project at *root*; safe to use from several threads."""

    lasting = False
    """Whether the process runs long enough for notices of changed files to pay."""
    source = "command_line"
    """What calls on memories are logged to come from."""

    @property
    def session(self) -> str | None:
        """The client's session that everything is done for, if any."""
        return None

    @part
    def graph(self) -> Graph:
        """The knowledge graph."""
        return self._open_graph()

    def _open_graph(self) -> Graph:
        from datetime import UTC, datetime

        from autology.core.adoption.files import AdoptingFiles
        from autology.core.adoption.records import Records
        from autology.core.nodes.graph import Graph
        from autology.files.node_folder import AutologyFolder
        from autology.wire import workers

        def now() -> datetime:
            return datetime.now(UTC)

        def new_id() -> str:
            from uuid import uuid4  # loads what asks the platform for its name: 4 ms that a search need not wait for

            return str(uuid4())

        root, index = self.root, self.sqlite_index
        folders = self._record_folders()
        own = AutologyFolder(root, notices=self._notices(root), is_record=folders.holds)
        records = Records(folders, own, index)
        return Graph(AdoptingFiles(own, records), index, now, new_id, workers.pool(root), records)

    @part
    def sqlite_index(self) -> SqliteIndex:
        """The index of everything in the project. Its log is truncated between calls in a process that lasts."""
        from autology.index.index_file import LATEST_LOG_LIMIT, LOG_LIMIT
        from autology.index.sqlite import SqliteIndex

        root, limit = self.root, LATEST_LOG_LIMIT if self.lasting else LOG_LIMIT
        return SqliteIndex(lambda: places.index_file(root), user.encoder, user.model, log_limit=limit)

    def _record_folders(self) -> ProjectRecordFolders:
        """Return the folders of records that the project's configuration adopts."""
        from autology import settings
        from autology.files.record_folders import ProjectRecordFolders

        root = self.root

        def choose() -> tuple[str, Sequence[Correction], Sequence[str]]:
            value, broken = settings.project_value(root, settings.RECORDS), settings.project_file_problem(root)
            unusable = [f"not valid YAML ({broken}); correct it, or finish the merge that left it so"] if broken else []
            if value is None:
                return "", (), unusable
            from autology.core.records.corrections import corrections

            chosen, problems = corrections(value)
            return repr(value), chosen, [*unusable, *problems]

        config = os.path.join(root, *settings.PROJECT_FILE.split("/"))
        return ProjectRecordFolders(root, config, choose, self._notices(root))

    def _notices(self, folder: str) -> Notices | None:
        """Return what reports changes below *folder*, for a long-running process."""
        from autology.file_notifications import Notices

        return Notices(os.path.abspath(folder), self._watches) if self.lasting else None

    @part
    def _watches(self) -> Watches:
        """The system's reports, of all folders together."""
        from autology.file_notifications import Watches

        return Watches()

    @part
    def library(self) -> Library:
        """The documents. Every search updates the index, the first one completely."""
        return self._open_library()

    def _open_library(self) -> Library:
        from autology.core.documents.library import Library

        return Library(self.graph, self._documents(self._notices(self.root)))

    def _documents(self, notices: Notices | None) -> DocumentsAndClientMemory:
        from autology.core.documents.sources import Choice
        from autology.files.client_memory import DocumentsAndClientMemory
        from autology.files.documents import DocumentFolder
        from autology.settings import PROJECT_FILE

        def chosen() -> Choice:
            options = self.settings
            return Choice(options.documents_sources, options.documents_excludes, options.documents_includes)

        configs = [places.config_file(), os.path.join(self.root, *PROJECT_FILE.split("/"))]
        project = DocumentFolder(self.root, chosen(), self.history.ignored, notices, chosen, configs)
        memory = self._client_memory()
        return DocumentsAndClientMemory(project, memory.folder, memory.configs)

    def strike_client_memory(self, path: str, number: int, written: str) -> str:
        """Remove a line of the client's own memory, as the user asked; return the file that keeps it.

        Raises:
            StorageError: it is not *written* like that any more, or the disk refused.
        """
        from autology.files import client_memory
        from autology.text.documents.client_memory import PREFIX

        archive = os.path.join(places.data_dir(), "client-memory-struck.jsonl")
        folder = self._client_memory().folder() or os.devnull
        client_memory.strike(folder, path.removeprefix(PREFIX), number, written, archive)
        return archive

    def _client_memory(self) -> ClientMemoryPlace:
        from autology.transcripts.client_memory import ClientMemoryPlace
        from autology.vcs.reflog import repository

        here = repository(self.root)
        common = here.common_dir if here else ""
        top = os.path.dirname(common) if os.path.basename(common) == ".git" else here.top if here else ""
        return ClientMemoryPlace(self.root, top or self.root, places.client_folder(), os.environ)

    @part
    def checks(self) -> Sequence[Callable[[], float]]:
        """Checks of all files, beside queries, of what is open: each returns the seconds until it is due again.

        They list the files for themselves: what the collections remember of theirs is only what they have indexed.
        """
        from autology.core.content.freshness import SHORTEST
        from autology.files.memory_folder import MemoryFolder
        from autology.files.node_folder import AutologyFolder

        nodes, documents = AutologyFolder(self.root), self._documents(None)
        own, users = MemoryFolder(self.root), MemoryFolder(places.data_dir(), is_private=True)

        def check_memories() -> float:
            scans = (own.scan, users.scan)
            return max(root.check(scan) for root, scan in zip(self.memories.roots, scans, strict=True))

        def scan_documents() -> Mapping[str, Stamp]:
            records = self.graph.record_files()
            return {path: at for path, at in documents.scan().files.items() if path not in records}

        def when_open(name: str, check: Callable[[], float]) -> Callable[[], float]:
            return lambda: check() if name in vars(self) else SHORTEST

        return (
            when_open("graph", lambda: self.graph.check(lambda: None if self.graph.record_files() else nodes.scan())),
            when_open("library", lambda: self.library.check(scan_documents)),
            when_open("memories", check_memories),
        )

    def fill(self, progress: Callable[[str], Progress]) -> None:
        """Index what queries did not wait for, reporting *progress* by what is read."""
        opened = vars(self)
        if "graph" in opened:
            self.graph.fill(progress("notes"))
        if "library" in opened:
            self.library.fill(progress("documents"))
        if "memories" in opened:
            for root in self.memories.roots:
                root.fill(progress("memories"))

    def date_records(self) -> None:
        """Read from version control when the records were committed that state no date, if it has anything new."""
        from autology.core.adoption import dates_from_commits

        graph = self.graph
        records = graph.records
        if records is not None and records.snapshot.records and dates_from_commits.read(records, self.history):
            graph.freshness.forget()

    @property
    def is_behind(self) -> bool:
        """Whether queries left files to be indexed."""
        opened = vars(self)
        collections = [*(opened[name] for name in ("graph", "library") if name in opened)]
        collections += self.memories.roots if "memories" in opened else ()
        return any(collection.left for collection in collections)

    @part
    def atlas(self) -> Atlas:
        """The whole graph of notes, documents and tags, cached until the index changes."""
        from autology.core.atlas.atlas import Atlas

        return Atlas(self.library, lambda: self.index_state)

    @part
    def watch(self) -> Watch:
        """The detector of drifted notes."""
        from autology.core.nodes.drift_watch import Watch

        return Watch(self.graph, self.history)

    @part
    def record_corrections(self) -> tuple[Sequence[Correction], Sequence[str]]:
        """What the project's configuration says of how its records are read, and its problems."""
        from autology import settings
        from autology.core.records.corrections import corrections

        records = settings.project_value(self.root, settings.RECORDS)
        return ([], []) if records is None else corrections(records)

    def find_records(self) -> Discovery:
        """Return the collections of records in the project's own files, read now."""
        from autology.core.records.discovery import find_collections
        from autology.files.record_texts import ProjectTexts

        paths = ProjectTexts(self.root, self.history.files).paths()
        records = self.graph.records
        assert records is not None
        folders = records.folders  # what it reads now is read for adopting them
        return find_collections(paths, folders, folders.chosen()[1])

    def adopted_folders(self) -> tuple[str, ...]:
        """Return the folders whose records the project's configuration adopts."""
        from autology.core.adoption.folders_to_adopt import HERE

        records = self.graph.records
        assert records is not None
        return tuple(one.folder or HERE for one in records.folders.chosen()[1] if one.adopt is not False)

    def adopt(self, folders: Sequence[str]) -> bool:
        """Adopt the records in *folders*, in the project's configuration; return whether that changed."""
        from autology import settings

        return settings.adopt_records(self.root, folders)

    @property
    def sections_expected(self) -> Mapping[str, tuple[str, ...]]:
        """Which sections a complete record has, by folder, where the project's settings say so."""
        from autology import settings

        return settings.sections_expected(self.root)

    def expect_sections(self, folder: str, sections: Sequence[str] | None) -> bool:
        """Let a complete record of the collection in *folder* have these *sections*; return whether that is new.

        None stands for those that most of its records have.

        Raises:
            ValidationError: no adopted collection is there.
        """
        from autology import settings
        from autology.core.adoption.folders_to_adopt import HERE
        from autology.model.errors import ValidationError

        self.graph.refresh()
        records = self.graph.records
        place = folder.strip().replace("\\", "/").removeprefix("./").strip("/") or HERE
        known = {manner.folder or HERE for manner in records.snapshot.manners} if records else set()
        if place not in known:
            step = f"Name one of: {', '.join(sorted(known))}." if known else "Run `autology init` to adopt one."
            raise ValidationError("folder", f"'{folder[:200]}' holds no adopted collection", step)
        return settings.expect_sections(self.root, place, sections)

    @part
    def code(self) -> CodeGraph:
        """The project's own source as a graph."""
        from autology.codegraph.code_graph import CodeGraph
        from autology.codegraph.storage.facts_store import FactsStore
        from autology.codegraph.storage.source_folder import SourceFolder

        root = self.root
        store = FactsStore(lambda: f"{places.index_file(root).removesuffix('.sqlite')}-code.sqlite")
        return CodeGraph(SourceFolder(root, self.history.files), store, user.languages())

    @part
    def memories(self) -> Memories:
        """The memories of the project and its user. Every search updates the index."""
        from autology.core.memory.memories import Memories
        from autology.files.memory_folder import MemoryFolder

        encoder = user.encoder()
        own = places.data_dir()
        project = MemoryFolder(self.root, notices=self._notices(self.root))
        users = MemoryFolder(own, notices=self._notices(own), is_private=True)
        return Memories(self.graph, project, users, lambda: self.default_scope, encoder.encode if encoder else None)

    @property
    def has_memories(self) -> bool:
        """Whether any memories were ever stored for the project or its user; cheap, without side effects."""
        from autology.files.memory_folder import has_memories

        return has_memories(self.root, places.data_dir())

    @part
    def audited_memories(self) -> AuditedMemories:
        """Access to the memories: rate-limited and audited."""
        return self.audited_memories_for(self.source)

    def audited_memories_for(self, source: str) -> AuditedMemories:
        """Return the same for calls from *source*."""
        from autology import client_session
        from autology.core.memory.audited_memories import AuditedMemories, Limits
        from autology.files.rate_counter import FileTally

        def limits() -> Limits:
            options = self.settings
            return Limits(options.memory_store_limit, options.memory_find_limit)

        caller = lambda: client_session.caller(source)  # noqa: E731
        tally = FileTally(os.path.join(places.cache_dir(), "tally"), caller)
        return AuditedMemories(self.memories, self.audit, tally, caller, source, limits, lambda: self.team.search)

    @property
    def audit(self) -> Audit:
        """The audit log of memories, written if the settings enable it."""
        from datetime import UTC, datetime

        from autology import log
        from autology.files.audit_log import AuditLog

        folder, is_on = os.path.join(places.data_dir(), "audit"), self.settings.audit
        return AuditLog(folder, lambda: datetime.now(UTC), is_on, lambda error: log.write("audit", error))

    @property
    def daily_purge(self) -> Daily:
        """The daily purge of memories."""
        from datetime import UTC, datetime

        from autology.files.once_a_day import DailyFile

        return DailyFile(f"{os.path.splitext(places.index_file(self.root))[0]}.purged", lambda: datetime.now(UTC))

    @part
    def dismissals(self) -> Dismissals:
        """What the user dismissed of this project's findings."""
        from autology.files.dismissals import Dismissals

        name = os.path.splitext(os.path.basename(places.index_file(self.root)))[0]
        return Dismissals(os.path.join(places.data_dir(), "dismissed", f"{name}.json"))

    @property
    def overseen(self) -> Overseen:
        """The data for reports on the memory system."""
        from autology.core.memory.status import Overseen
        from autology.files.memory_folder import unwritable

        options = self.settings
        return Overseen(
            memories=self.memories,
            audit=self.audited_memories.audit,
            daily=self.daily_purge,
            limits=self.audited_memories.limits,
            extend=options.memory_extend,
            purges=options.memory_purge,
            unwritable=lambda: [*unwritable(self.root), *unwritable(places.data_dir())],
        )

    def place_memories(self) -> Placed:
        """Assign memories of a branch without a project to the project that stored them."""
        from autology.core.memory import strays

        return strays.place(self.memories, self.audit, user.conversation_index(), lambda: self.names[0])

    @part
    def conversations(self) -> Conversations:
        """The conversations of past sessions, as far as the user's settings allow."""
        from datetime import UTC, datetime

        from autology.core.conversations.conversations import Conversations
        from autology.core.conversations.sources import ConversationSettings
        from autology.transcripts.archive import FolderArchive
        from autology.transcripts.claude_code import ClaudeCode
        from autology.transcripts.every_agent import EveryAgent
        from autology.wire import workers

        def rules() -> ConversationSettings:
            options = self.settings
            return ConversationSettings(
                options.conversations,
                options.archive,
                options.archive_days,
                options.archive_megabytes,
                options.conversations_excludes,
            )

        own = ClaudeCode(places.client_folder(), self._notices)
        live = EveryAgent(own, user.agents, self.settings.agents_excludes)
        archive = FolderArchive(os.path.join(places.data_dir(), "archive"), live, self._notices)
        index, now = user.conversation_index(), lambda: datetime.now(UTC)
        return Conversations(live, archive, index, user.project_home, rules, now, workers.pool(self.root))

    @part
    def conversation_search(self) -> ConversationSearch:
        """Search over the conversations, in this project and all others."""
        return self.conversation_search_from(lambda: self.session)

    def conversation_search_from(self, session: Callable[[], str | None]) -> ConversationSearch:
        """Return the same, without what *session*, the calling one, still has in sight."""
        from datetime import UTC, datetime

        from autology import client_session, search_log
        from autology.core.recall.conversation_search import ConversationSearch
        from autology.core.recall.new_conversations import NewConversations
        from autology.model.query import InSight
        from autology.text.language.calendar_spans import Clock

        def in_sight() -> InSight | None:
            caller = session()
            return InSight(caller, client_session.compacted_at(caller)) if caller else None

        conversations = self.conversations
        state, now = user.conversation_state, lambda: Clock(datetime.now(UTC))
        new, encoder = NewConversations(conversations), user.encoder()
        return ConversationSearch(
            conversations.index,
            new,
            state,
            now,
            search_log.note,
            self.team.search,
            in_sight,
            encoder.encode if encoder else None,
            lambda: self.names,
        )

    def session_search_from(self, session: Callable[[], str | None]) -> SessionSearch:
        """Return the search for whole sessions, without what *session*, the calling one, still has in sight."""
        from autology.core.recall.session_search import SessionSearch

        encoder = user.encoder()
        search = self.conversation_search_from(session)
        return SessionSearch(search, self.conversations, encoder.encode if encoder else None)

    @property
    def mined_queue(self) -> MinedQueue:
        """What the project's sessions settled and no note says."""
        from autology.core.recall.mined_queue import MinedQueue
        from autology.files.answered_candidates import AnsweredCandidates
        from autology.files.offered_candidates import OfferedCandidates

        answered = AnsweredCandidates(os.path.join(places.data_dir(), "mined-answers.txt"))
        offer = OfferedCandidates(places.offered_candidates(self.root))
        encoder = user.encoder()
        encode = encoder.encode if encoder else None
        return MinedQueue(self.conversations, self.graph, lambda: self.names, answered, offer, encode)

    @part
    def team(self) -> Team:
        """The team's hub."""

        def contents() -> tuple[Library, Memories]:
            fresh = Project(self.root)  # it is read in a thread of its own
            return fresh.library, fresh.memories

        return Team(self, contents)


def work(root: str) -> int:
    """Be a worker for the project at *root*, until standard input ends."""
    from autology.core.conversations.parallel_reading import TRANSCRIPTS, read_whole
    from autology.core.index.second_pass import VECTORS
    from autology.model.entry import DOCUMENT, NODE
    from autology.wire import workers

    project = Project(root)
    workers.work(
        {
            NODE: project.graph.steps,
            DOCUMENT: project.library.ready,
            VECTORS: project.graph.index.encoded,
            TRANSCRIPTS: lambda transcripts: read_whole(project.conversations, transcripts),
        }
    )
    return 0
