"""One project's knowledge: its files, seen through the index and kept in step with it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from autology.core import embedding, freeze, projection, supersession, sync, watch
from autology.core.lately import Lately
from autology.core.ports import Change, Files, Gone, Index, Pool, Progress, Put, Stamp
from autology.model.entry import DOCUMENT, NODE
from autology.model.errors import (
    AmbiguousIdError,
    ConflictError,
    IndexBusyError,
    NotFoundError,
    StorageError,
    UnreadableNodeError,
)
from autology.model.hit import Source
from autology.model.node import NODES, Node, is_id_prefix, is_id_start, is_uuid4
from autology.model.query import Filter, Terms
from autology.text.nodefile import edit_node, in_line_ends_of, write_node
from autology.text.times import stamp
from autology.text.tokens import query_terms, share_a_word

COMPARED = 2_000
"""Titles that a name nobody answers to is compared with: 2,000 of five words take 0.07 s."""
WALK_SHARE = 20
"""A walk over every file is repeated once this many times its own cost has passed: 5 % at most.

Measured: 3 ms at 1,000 files, 41 at 10,000, 450 at 100,000; so an edit in place made outside is seen after
0.07, 0.8 and 9 seconds where the system does not tell of it, at once where it does (Linux) and in a file that was
changed lately; an added, removed or renamed file at once."""
REMEMBERED = 2_000
REMEMBERED_BYTES = 20_000
"""Nodes kept decoded, and how long they may be: 60 of the 130 microseconds that a candidate costs."""
TRIES = 3
"""How often a change is begun again because an editor saved the file meanwhile."""

T = TypeVar("T")
_MEND = "Mend the file by hand; `autology doctor` says how, and lists every file that cannot be read."
_DOCUMENT = "It is a document: update_document and delete_document change it, or any editor."


@dataclass(frozen=True, slots=True)
class Stored:
    """A node with the file that holds it."""

    node: Node
    path: str
    data: bytes

    @property
    def version(self) -> str:
        """What tells this state of the file from every other."""
        from hashlib import sha256  # only who edits asks

        return sha256(self.data).hexdigest()[:16]


@dataclass(slots=True)
class Draft:
    """Changes being gathered, made all at once when the use case is done with them."""

    graph: Graph
    changes: dict[str, Change] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)
    relations_touched: bool = False

    def read(self, id: str, role: str = "") -> Stored:
        """Return the node with that id or unambiguous prefix, from disk as it is now.

        Raises:
            NotFoundError: there is none.
            AmbiguousIdError: there are several.
            StorageError: its file cannot be read as a node.
        """
        stored = self.graph.stored(self.graph.source(id, role), role)
        return replace(stored, node=self.nodes.get(stored.path, stored.node))

    def create(self, node: Node) -> Node:
        """Add a new node, and return it as it is kept."""
        node = freeze.sealed(node)
        text = write_node(node, self._titles(node))
        self._set(node.path, None, text.encode(), node)
        return node

    def replace(self, stored: Stored, node: Node, amended: bool = False) -> Node:
        """Change a stored node, and return it as it is kept; a change of type moves its file.

        Raises:
            ValidationError: it is accepted, and what is frozen of it would change, unless that is *amended* knowingly.
        """
        node = freeze.resealed(node) if amended else freeze.checked(stored.node, node)
        before = sync.text_of(stored.data)
        node = in_line_ends_of(before, stored.node, node)
        text = edit_node(before, node, self._titles(node))
        path = node.path if node.type is not stored.node.type else stored.path
        moved = path != stored.path
        if moved:
            self._set(stored.path, stored.data, None, None)
        self._set(path, None if moved else stored.data, text.encode(), node)
        self.relations_touched |= node.relations != stored.node.relations
        return node

    def rewrite(self, path: str, node: Node) -> None:
        """Change once more what this draft already writes to *path*."""
        change, node = self.changes[path], freeze.sealed(node)
        assert change.after is not None
        text = edit_node(sync.text_of(change.after), node, self._titles(node))
        self._set(path, change.before, text.encode(), node)

    def remove(self, stored: Stored) -> None:
        """Take a node's file away."""
        self._set(stored.path, stored.data, None, None)
        self.relations_touched = True

    def bring_back(self, path: str, data: bytes, node: Node) -> None:
        """Put the file of a deleted node, *data*, back to *path*, changed to hold *node*."""
        text = edit_node(sync.text_of(data), node, self._titles(node))
        self._set(path, None, text.encode(), node)
        self.relations_touched = True

    def take_back(self, change: Change) -> None:
        """Undo what a *change* did, to a node's file or to any other."""
        is_node = change.before is not None and change.path.startswith(NODES)
        node = sync.decode(change.before, change.path) if is_node and change.before is not None else None
        self._set(change.path, change.after, change.before, node)
        self.relations_touched = True

    def put_aside(self, path: str, before: bytes | None, after: bytes | None) -> None:
        """Write or remove a file that is no node."""
        self.changes[path] = Change(path, before, after)

    def _titles(self, node: Node) -> Mapping[str, str]:
        """The titles of what *node* relates to, those changed or made just now too."""
        return {**self.graph.titles(_targets(node)), **{other.id: other.title for other in self.nodes.values()}}

    def _set(self, path: str, before: bytes | None, after: bytes | None, node: Node | None) -> None:
        self.changes[path] = Change(path, before, after)
        if node is not None:
            self.nodes[path] = node
            self.relations_touched |= before is None and bool(node.relations)


class Graph:
    """The nodes of one project and how they are related.

    Reading brings the index up to what is on disk first; writing goes through :meth:`change`.
    """

    def __init__(
        self,
        files: Files,
        index: Index,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
        pool: Pool = sync.ALONE,
    ) -> None:
        self.files = files
        self.index = index
        self.now = now
        self.new_id = new_id
        self.pool = pool
        self._noted: list[str] = []
        self._behind = threading.local()
        self.projection_due = False
        self.readers: dict[str, embedding.Reader] = {NODE: lambda path: sync.read(path, files)}
        self._nodes: dict[str, tuple[Stamp, Node]] = {}
        self._generation = ""
        self._folders: Sequence[int] = ()
        self._walked = 0.0
        self._cost = 0.0
        self._lately = Lately(files.scan_one, files.edited)
        self.written: Callable[[Sequence[Change]], None] | None = None
        """Told what every change did to the files, for whoever wants to take one back."""

    def stamp(self) -> str:
        """The present moment, as nodes record it."""
        return stamp(self.now())

    # ---- reading ---------------------------------------------------------------------------------

    def refresh(self, walk: bool = False, progress: Progress | None = None) -> int:
        """Bring the index up to the files; return how many had changed.

        Without *walk* only where something shows that it may be behind.
        """
        generation, folders = self.index.generation(), self.files.folders()
        begun = time.monotonic()
        fresh = generation == self._generation and folders == self._folders
        if fresh and not walk and begun - self._walked < WALK_SHARE * self._cost:
            return self._take_in_edited()
        self.files.recover()
        there = self.files.scan()
        plan = sync.plan(there, self.index.stamps())
        self._lately.among(there)
        self._cost = time.monotonic() - begun
        sync.apply(plan, self.files, self.index, progress, self.pool)
        # As they were before: an index that broke meanwhile, or a file that came, is seen by the next look.
        self._generation, self._folders, self._walked = generation, folders, time.monotonic()
        if plan:
            self.projection_due = True
        return len(plan.changed) + len(plan.gone)

    def _take_in_edited(self) -> int:
        """Index the files changed lately that were changed again."""
        edited = self._lately.edited()
        if edited:
            sync.apply(sync.Plan(tuple(sorted(edited)), ()), self.files, self.index)
            self._lately.seen(edited)
            self.projection_due = True
        return len(edited)

    def catch_up(self, refresh: Callable[[], object] | None = None) -> bool:
        """Bring the index up to the files for a question; return whether it is.

        While somebody else fills it, what it holds answers, and :attr:`notes` say so.
        """
        try:
            (refresh or self.refresh)()
        except IndexBusyError as error:
            self._behind.reason = error.reason
            return False
        self._behind.reason = ""
        return True

    @property
    def behind(self) -> bool:
        """Whether the index was not up to the files when this thread looked last: somebody else is filling it."""
        return bool(getattr(self._behind, "reason", ""))

    @property
    def notes(self) -> list[str]:
        """What was degraded, for the answers that it affects."""
        told = f"not everything is known yet: {self._behind.reason}; ask again later" if self.behind else ""
        return [*self._noted, told] if told else list(self._noted)

    def asked(self, read: Callable[[], T], catch_up: Callable[[], bool] | None = None) -> T:
        """Return what *read* finds once the index is up to the files, or as far as it is while somebody else fills it.

        An index that turns out to be broken meanwhile is made anew, and asked again: its
        silence would look like an answer. One that breaks every time is said to be behind.
        """
        catch_up = catch_up or self.catch_up
        with self.index.held():
            for _ in range(TRIES):
                if not catch_up():
                    return read()
                try:
                    answer = read()
                except NotFoundError:
                    if self._whole():
                        raise
                    continue
                if self._whole():
                    return answer
            self._behind.reason = "the index broke each time that it was asked"
            return read()

    def embed(self, seconds: float) -> bool:
        """Bring passages to the model that the user chose, for about *seconds*; return whether any may be left.

        Raises:
            EncodingError: the model cannot be used after all; search goes on without it.
        """
        return embedding.embed(self.index, self.readers, seconds)

    def embed_few(self) -> None:
        """Bring what waits for the model that the user chose to it, if it is little."""
        embedding.embed_few(self.index, self.readers)

    def embed_all(self, progress: Progress) -> int:
        """Bring every passage to the model that the user chose; return how many. Raises: EncodingError."""
        return embedding.embed_all(self.index, self.readers, progress)

    def _whole(self) -> bool:
        """Whether the index is still the one that was last brought up to the files."""
        return self.index.generation() == self._generation

    def source(self, id: str, role: str = "") -> Source:
        """Return the source with that id or unambiguous prefix of eight characters or more."""
        asked = id.strip().lower()
        if is_id_start(asked) and (begun := self.index.by_prefix(asked, 3)):
            raise NotFoundError(id, [offer(source) for source in begun], role)
        if not is_id_prefix(asked):
            raise NotFoundError(id, self.near(id), role, _DOCUMENT if self._is_document(id) else "")
        found = self.index.by_prefix(asked, 6)
        exact = [source for source in found if source.id == asked]
        if len(exact or found) == 1:
            return (exact or found)[0]
        if not found:
            self._refuse_unread(asked)
            if self.behind:
                return self._unindexed(asked)
            raise NotFoundError(id, self.near(id), role)
        raise AmbiguousIdError(id, [offer(source) for source in found], role or "id")

    def _unindexed(self, asked: str) -> Source:
        """Return the one node whose file is called by an id that begins with *asked*, from the file itself.

        Raises:
            IndexBusyError: there is none that could be told without the index.
        """
        paths = [path for path in self.files.scan() if path.rpartition("/")[2].startswith(asked)]
        taken = sync.read(paths[0], self.files) if len(paths) == 1 else None
        if taken is None or not taken.entry.id.startswith(asked):
            raise IndexBusyError(asked)
        entry = taken.entry
        return Source(
            entry.id, entry.type, entry.title, entry.status, entry.confidence, entry.created, entry.modified, paths[0]
        )

    def _is_document(self, asked: str) -> bool:
        name = asked.strip().replace("\\", "/").removeprefix("./")
        return any(name in (named.id, named.path) for named in self.index.named(DOCUMENT))

    def _refuse_unread(self, id: str) -> None:
        """Raise StorageError if a file of that name is there and cannot be read: it is not missing."""
        for path, reason in self.index.faults():
            if path.rpartition("/")[2].startswith(id):
                raise StorageError(path, reason, _MEND)

    def stored(self, source: Source, role: str = "") -> Stored:
        """Return the node of an indexed source, from disk as it is now."""
        try:
            data, at = self.files.read(source.path)
            node = self._decoded(data, source.path, at)
            if node.id != source.id:  # edited by hand a moment ago
                raise FileNotFoundError(source.path)
            return Stored(node, source.path, data)
        except FileNotFoundError:
            self.refresh(walk=True)
            raise NotFoundError(source.id, self.near(source.title), role) from None
        except UnreadableNodeError as error:
            raise StorageError(source.path, error.reason, _MEND) from None

    def _decoded(self, data: bytes, path: str, at: Stamp) -> Node:
        """The node in *data*, remembered for reading; a change is made to what the bytes say, whatever their stamp."""
        node = sync.decode(data, path)
        if len(self._nodes) >= REMEMBERED:
            self._nodes.pop(next(iter(self._nodes)), None)  # the one remembered first
        if len(data) <= REMEMBERED_BYTES:
            self._nodes[path] = (at, node)
        return node

    def readable(self, sources: Sequence[Source]) -> list[tuple[Node, str]]:
        """Return the nodes of *sources* with their paths, leaving out what has gone or broken since."""
        found = []
        for source in sources:
            known = self._nodes.get(source.path)
            if known is not None and known[0] == self.files.scan_one(source.path):
                found.append((known[1], source.path))
                continue
            try:
                found.append((self.stored(source).node, source.path))
            except (NotFoundError, StorageError):
                continue
        return found

    def titles(self, ids: Sequence[str]) -> Mapping[str, str]:
        """Return the titles of these nodes, as far as they exist."""
        return {id: source.title for id, source in self.index.by_ids(ids).items()} if ids else {}

    # ---- writing ---------------------------------------------------------------------------------

    def change(self, act: Callable[[Draft], T], walk: bool = False) -> T:
        """Let *act* gather changes, then make them all or none; return what it returned.

        The project's lock is held meanwhile. With *walk* every file is looked at first, for
        changes that must know of all nodes.

        Raises:
            ConflictError: an editor kept saving the file at the same moment.
            StorageError: the disk refused; nothing was changed.
        """
        if not self.files.exists():
            act(Draft(self))  # what cannot be done leaves no folder behind
            self.files.create()
        for attempt in range(TRIES):
            with self.files.locked(), self.index.held():
                self.refresh(walk)
                draft = Draft(self)
                try:
                    result = act(draft)
                    if self._whole() or attempt == TRIES - 1:
                        supersession.settle(draft)
                        self._commit(draft)
                        return result
                except ConflictError:
                    if attempt == TRIES - 1:
                        raise
                except NotFoundError:
                    if self._whole() or attempt == TRIES - 1:
                        raise
        raise AssertionError("unreachable")

    def _commit(self, draft: Draft) -> None:
        if not draft.changes:
            return
        steady = self.files.folders() == self._folders
        stamps = self.files.commit(list(draft.changes.values()))
        if self.written is not None:
            self.written(list(draft.changes.values()))
        self._lately.seen(stamps)
        steps: list[Put | Gone] = [Gone(path) for path, c in draft.changes.items() if c.after is None]
        steps += [
            sync.projected(path, at, draft.nodes[path]) for path, at in stamps.items() if at and path in draft.nodes
        ]
        try:
            self.index.apply(steps)
            named = [path.rpartition("/")[2].removesuffix(".md") for path in draft.changes]
            watch.forget(self.index, [*named, *(node.id for node in draft.nodes.values())])
            if steady:
                self._folders = self.files.folders()
            if draft.relations_touched:
                self.projection_due = not projection.write_if_small(self)
        except StorageError as error:
            # The files are durable; the index is made up for at the next look.
            self.note(f"saved, but not indexed yet: {error.reason}; `autology sync` repairs it")

    def note(self, text: str) -> None:
        """Remember something degraded, for the answers it affects."""
        if text not in self._noted:
            self._noted.append(text)

    def _alike(self, text: str) -> list[Source]:
        """Up to three nodes whose titles are written nearly so."""
        from difflib import get_close_matches

        titles = {source.title.casefold(): source for source in self.index.listed(Filter(), COMPARED, "")}
        return [titles[title] for title in get_close_matches(text.casefold(), titles, 3)]

    def near(self, text: str) -> list[tuple[str, str, str]]:
        """Return up to three nodes that somebody who wrote *text* may have meant, as (title, type, id)."""
        plain = text.strip()[:200]
        start = plain.lower()[:4]
        found = list(self.index.by_title([plain]))
        if is_uuid4(plain.lower()) or is_id_prefix(plain.lower()):
            found += self.index.by_prefix(start, 3) if len(start) == 4 else []
        elif plain:
            terms = Terms(query_terms(plain)[:8])
            said = [candidate.source for candidate in self.index.words(terms, Filter(), False, 3)]
            found += [source for source in said if share_a_word(plain, source.title)]
            found = found or self._alike(plain)
        return list(dict.fromkeys(offer(source) for source in found))[:3]


def offer(source: Source) -> tuple[str, str, str]:
    """Return a node as errors offer it: (title, type, id)."""
    return (source.title, source.type, source.id)


def _targets(node: Node) -> list[str]:
    return [relation.target for relation in node.relations]
