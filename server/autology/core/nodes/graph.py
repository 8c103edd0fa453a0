"""One project's knowledge: node files, read through an index that is kept up to date with them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from autology.core.adoption.records import Records
from autology.core.content.codec import Stored
from autology.core.content.collection import STEP, Collection
from autology.core.content.draft import Draft
from autology.core.content.files import Change, Files, Stamp
from autology.core.content.plan import ALONE, IndexPlan
from autology.core.index import embedding_queue, second_pass
from autology.core.index.catalogue import Named
from autology.core.index.changes import Fault, Gone, Put
from autology.core.long_work import Pool, Progress, unhurried
from autology.core.nodes import drift_cache, graph_index_file, supersession
from autology.core.nodes.node_codec import NodeCodec
from autology.core.nodes.node_draft import NodeDraft
from autology.model.entry import DOCUMENT, NODE
from autology.model.errors import AmbiguousIdError, IndexBusyError, NotFoundError, StorageError
from autology.model.hit import Source
from autology.model.next_step import Action, Sentence, do
from autology.model.node import Node, is_id_prefix, is_id_start, is_uuid4
from autology.model.query import Filter, Terms
from autology.text.language.timestamps import stamp
from autology.text.tokens import query_terms, share_a_word

if TYPE_CHECKING:
    from autology.core.index.index import Index

ENCODING = 0.3
"""Seconds of the second pass in a command that answers a question: it encodes 500 passages."""
COMPARED = 2_000
"""Maximum titles compared with an unknown name: 2,000 of five words take 0.07 s."""
WORDS_AHEAD = 2_000
"""Words whose vectors are kept ahead, 0.3 KB each: a search judges texts of hundreds, and a new one takes 25 us."""

T = TypeVar("T")
_DOCUMENT = Sentence(
    "It is a document: ", do(Action.UPDATE_DOCUMENT), " and ", do(Action.DELETE_DOCUMENT), " change it, or any editor."
)


class Graph(Collection[Node]):
    """The nodes of one project and how they are related; it shares its index with documents and memories.

    *records* are the project's own records that are adopted as nodes; *files* contain them.
    """

    files: Files

    def __init__(
        self,
        files: Files,
        index: Index,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
        pool: Pool = ALONE,
        records: Records | None = None,
    ) -> None:
        codec = NodeCodec(records=records)
        super().__init__(files, files, index, codec, pool=pool)
        self.records = records
        self.now = now
        self.new_id = new_id
        self.projection_due = self._is_large = False  # of the projection
        self.readers: dict[str, embedding_queue.Reader] = {NODE: self.put}

    @property
    def notes(self) -> list[str]:
        """Notes on degraded results, first what of the configuration of records cannot be used."""
        return [*(self.records.problems if self.records else ()), *super().notes]

    def stamp(self) -> str:
        """The present moment, as nodes record it."""
        return stamp(self.now())

    def read_ahead(self) -> None:
        """Parse the notes that a search may show, and keep the vectors of their most common words; with pauses.

        Raises:
            StorageError: the index cannot be used.
        """
        from autology.ranking.evidence import comparable_words  # a search has loaded it

        super().read_ahead()
        words: Counter[str] = Counter()
        for notes in unhurried(list(self._parsed.values())):
            for _, node in notes:
                words.update(comparable_words(node.title, node.content))
        for common in unhurried([word for word, _ in words.most_common(WORDS_AHEAD)]):
            self.index.word_rows(common)

    def apply(self, plan: IndexPlan, progress: Progress | None = None, until: float | None = None) -> int:
        """Carry out *plan*; relations may change."""
        if plan:
            graph_index_file.owe(self)
        return super().apply(plan, progress, until)

    def steps(self, paths: Sequence[str]) -> Sequence[Put | Fault | Gone]:
        """Return the files at *paths* preprocessed for the index."""
        if self.records is not None:
            self.records.reload()  # in a worker, another process has read their collections
        return super().steps(paths)

    def _depends(self, edited: Mapping[str, Stamp | None]) -> bool:
        """Whether one of the *edited* files is a record's: it may change what its collection says of others."""
        records = self.records
        return records is not None and any(records.is_record(path) or records.is_sidecar(path) for path in edited)

    def record_files(self) -> set[str]:
        """Return the files that adopted records consist of: they are not documents."""
        return self.records.files() if self.records is not None else set()

    def record_at(self, path: str) -> str:
        """Return the id of the adopted record that the file at *path* is part of, "" if it is part of none."""
        owner = self.records.owner(path) if self.records is not None else None
        return self.records.id_of(owner) if self.records is not None and owner else ""

    def record_names(self) -> Sequence[Named]:
        """Return the adopted records by their files' names, to which links in documents lead."""
        if self.records is None:
            return ()
        return tuple(Named(self.records.id_of(path), path) for path in self.records.snapshot.records)

    # ---- reading ---------------------------------------------------------------------------------

    def embed(self, seconds: float) -> bool:
        """Encode passages that wait for it, for about *seconds*; return whether any may be left.

        Raises:
            EncodingError: the chosen model cannot be used after all; search goes on without it.
        """
        if self.encode(until=time.monotonic() + seconds):
            return True
        return embedding_queue.embed(self.index, self.readers, seconds)

    def embed_few(self) -> None:
        """Encode a short queue, or the beginning of what the second pass has to do."""
        self.encode(until=time.monotonic() + ENCODING)
        embedding_queue.embed_few(self.index, self.readers)

    def embed_all(self, progress: Progress) -> int:
        """Encode every passage with the user's chosen model; return how many. Raises: EncodingError."""
        return embedding_queue.embed_all(self.index, self.readers, progress)

    def encode(self, progress: Progress | None = None, until: float | None = None) -> int:
        """Make the vectors of what was indexed by its words first; return the number of files left.

        Worker processes help unless it ends soon, at *until*: they take a fifth of a second to start.
        """
        return second_pass.encode(self.index, self.pool if until is None else ALONE, progress, until)

    def source(self, id: str, role: str = "") -> Source:
        """Return the source with that id or unambiguous prefix of eight characters or more."""
        prefix = id.strip().lower()
        if is_id_start(prefix) and (begun := self.index.by_prefix(prefix, 3)):
            raise NotFoundError(id, [offer(source) for source in begun], role)
        if not is_id_prefix(prefix):
            raise NotFoundError(id, self.near(id), role, _DOCUMENT if self._is_document(id) else "")
        matches = self.index.by_prefix(prefix, 6)
        exact = [source for source in matches if source.id == prefix]
        if len(exact or matches) == 1:
            return (exact or matches)[0]
        if not matches:
            self._refuse_unread(prefix)
            if self.degraded.behind:
                return self._unindexed(prefix)
            raise NotFoundError(id, self.near(id), role)
        raise AmbiguousIdError(id, [offer(source) for source in matches], role or "id")

    def _unindexed(self, prefix: str) -> Source:
        """Return the only node whose file's name begins with *prefix*, from the file itself.

        Raises:
            IndexBusyError: there is none that could be told without the index.
        """
        paths = [path for path in self.files.scan() if path.rpartition("/")[2].startswith(prefix)]
        taken = self.put(paths[0]) if len(paths) == 1 else None
        if taken is None or not taken.entry.id.startswith(prefix):
            raise IndexBusyError(prefix)
        entry = taken.entry
        return Source(
            entry.id, entry.type, entry.title, entry.status, entry.confidence, entry.created, entry.modified, paths[0]
        )

    def _is_document(self, document: str) -> bool:
        name = document.strip().replace("\\", "/").removeprefix("./")
        return bool(self.index.by_ids([name]) or self.index.by_name([name.rpartition("/")[2]], DOCUMENT))

    def _refuse_unread(self, id: str) -> None:
        """Raise StorageError if a file of that name exists but cannot be read: it is not missing."""
        for path, reason in self.index.faults():
            if path.rpartition("/")[2].startswith(id):
                raise StorageError(path, reason, STEP)

    def stored(self, source: Source, role: str = "") -> Stored[Node]:
        """Return the node of an indexed source, read from disk. Raises NotFoundError, StorageError."""
        try:
            return super().stored(source)
        except FileNotFoundError:
            self.refresh(walk=True)
            raise NotFoundError(source.id, self.near(source.title), role) from None

    def titles(self, ids: Sequence[str]) -> Mapping[str, str]:
        """Return the titles of these nodes, as far as they exist."""
        return {id: source.title for id, source in self.index.by_ids(ids).items()} if ids else {}

    # ---- writing ---------------------------------------------------------------------------------

    def change(self, act: Callable[[NodeDraft], T], walk: bool = False) -> T:
        """Let *act* collect changes, then commit all or none, as :meth:`transact` does; return the result of *act*."""

        def settled(draft: NodeDraft) -> T:
            result = act(draft)
            supersession.settle(draft)
            self._keep_named_ids(draft)
            return result

        if not self.files.exists():
            act(NodeDraft(self))  # a refused change leaves no folder behind
            self.files.create()
        return self.transact(lambda: NodeDraft(self), settled, lambda: self.refresh(walk) if walk else self.catch_up())

    def _keep_named_ids(self, draft: NodeDraft) -> None:
        """Let the records that written nodes relate to keep their ids."""
        if self.records is None or not self.records.snapshot.records:
            return
        written = {node.id for node in draft.entries.values()}
        targets = {r.target for node in draft.entries.values() for r in node.relations if not r.is_derived} - written
        for source in self.index.by_ids(sorted(targets)).values():
            if self.records.is_record(source.path) and self.records.sidecar_of(source.path) is None:
                draft.keep_id(draft.read(source.id))

    def commit(self, draft: Draft[Node]) -> None:
        """Make all changes of *draft*, or none, and index them; records are looked at again before the next answer."""
        super().commit(draft)
        if self.records is not None and any(self._concerns_records(change) for change in draft.pending):
            self.freshness.forget()

    def _concerns_records(self, change: Change) -> bool:
        assert self.records is not None
        return self.records.is_record(change.path) or b"\nrecord: " in ((change.before or b"") + (change.after or b""))

    def _committed(self, draft: Draft[Node]) -> None:
        named = [path.rpartition("/")[2].removesuffix(".md") for path in draft.changes]
        drift_cache.forget(self.index, [*named, *(node.id for node in draft.entries.values())])
        if isinstance(draft, NodeDraft) and draft.relations_touched:
            self._is_large = graph_index_file.update(self, self._is_large)

    # ---- names -----------------------------------------------------------------------------------

    def _alike(self, text: str) -> list[Source]:
        """Return up to three nodes with similar titles."""
        from difflib import get_close_matches

        titles = {source.title.casefold(): source for source in self.index.listed(Filter(), COMPARED, "")}
        return [titles[title] for title in get_close_matches(text.casefold(), titles, 3)]

    def near(self, text: str) -> list[tuple[str, str, str]]:
        """Return up to three nodes that *text* may refer to, as (title, type, id)."""
        plain = text.strip()[:200]
        start = plain.lower()[:4]
        sources = list(self.index.by_title([plain]))
        if is_uuid4(plain.lower()) or is_id_prefix(plain.lower()):
            sources += self.index.by_prefix(start, 3) if len(start) == 4 else []
        elif plain:
            terms = Terms(query_terms(plain)[:8])
            mentioning = [candidate.source for candidate in self.index.lexical_candidates(terms, Filter(), False, 3)]
            sources += [source for source in mentioning if share_a_word(plain, source.title)]
            sources = sources or self._alike(plain)
        return list(dict.fromkeys(offer(source) for source in sources))[:3]


def offer(source: Source) -> tuple[str, str, str]:
    """Return a node as suggested in errors: (title, type, id)."""
    return (source.title, source.type, source.id)
