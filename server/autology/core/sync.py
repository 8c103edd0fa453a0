"""Updating the index from the files: first a plan, then its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice

from autology.core import freeze
from autology.core.pins import SEEN
from autology.core.ports import Fault, Files, Gone, Index, Job, Made, Pool, Progress, Put, Stamp
from autology.model.entry import CITATION, NODE, Entry, Link
from autology.model.errors import StorageError, UnreadableNodeError
from autology.model.exchange import ASSISTANT, USER
from autology.model.node import SUPERSEDED_BY, DecisionStatus, Node, NodeStatus, NodeType
from autology.model.passage import Passage
from autology.text.governing import RECORD, Rule, rules
from autology.text.links import mentions, written
from autology.text.nodefile import read_node
from autology.text.passages import passages
from autology.text.redact import redact, secrets_in, without
from autology.text.slug import last_part
from autology.text.values import texts

BATCH = 500
"""Files per transaction: an interrupted first indexing repeats at most these."""
JOB = 50
"""Files per job for worker processes: 0.15 s of work."""


class Alone:
    """The :class:`~autology.core.ports.Pool` of one process."""

    @contextmanager
    def made(self, kind: str, jobs: Sequence[Job], here: Callable[[Job], Made]) -> Iterator[Iterator[Made]]:
        """Yield the result of *here* for each of *jobs*, in order, as they are consumed."""
        del kind
        yield map(here, jobs)


ALONE = Alone()


@dataclass(frozen=True, slots=True)
class Plan:
    """The difference between the files and their indexed state."""

    changed: tuple[str, ...]
    gone: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.changed or self.gone)


def plan(files: Mapping[str, Stamp], indexed: Mapping[str, Stamp]) -> Plan:
    """Return which files to read again and which to remove."""
    changed = tuple(sorted(path for path, stamp in files.items() if indexed.get(path) != stamp))
    return Plan(changed, tuple(sorted(indexed.keys() - files.keys())))


def apply(plan: Plan, files: Files, index: Index, progress: Progress | None = None, pool: Pool = ALONE) -> None:
    """Carry out *plan*, with the help of *pool*; an interruption keeps what is done."""
    # Checked again: a missing file may have been written, and indexed, since the plan was made.
    if gone := [Gone(path) for path in plan.gone if files.scan_one(path) == Stamp(0, 0)]:
        index.apply(gone)
    every = len(plan.changed)
    jobs = [plan.changed[at : at + JOB] for at in range(0, every, JOB)]
    with pool.made(NODE, jobs, lambda paths: ready(paths, files, index)) as results:
        steps = chain.from_iterable(results)
        for at in range(0, every, BATCH):
            index.apply(islice(steps, BATCH))
            if progress:
                progress(min(at + BATCH, every), every)


def ready(paths: Sequence[str], files: Files, index: Index) -> Sequence[Put | Fault | Gone]:
    """Return the files at *paths*, preprocessed for *index*."""
    read = (_read(path, files) for path in paths)
    return [index.ready(change) if isinstance(change, Put) else change for change in read]


def decode(data: bytes, path: str) -> Node:
    """Parse the node in a file's bytes.

    Raises:
        UnreadableNodeError: they are not a node.
    """
    folder = path.split("/")[-2] if "/" in path else ""
    type = next((type for type in NodeType if type.folder == folder), None)
    return read_node(text_of(data), type)


def text_of(data: bytes) -> str:
    """Return a file's bytes as text, every character kept.

    Raises:
        UnreadableNodeError: they are not UTF-8.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableNodeError(f"is not UTF-8 (byte {error.start})") from None


def projected(path: str, stamp: Stamp, node: Node) -> Put:
    """Return *node* as the index takes it: in passages, redacted."""
    return Put(path, stamp, entry_of(node), tuple(clean_passages(node.content)))


def entry_of(node: Node) -> Entry:
    """Return the entry of *node* for the index, without its content; redacted."""
    entry = _entry(node)
    links = [link.description or "" for link in entry.links]
    terms = [term for _, term in entry.rules]
    whole = "\n".join([entry.title, entry.session or "", *entry.tags, *entry.aliases, *links, *terms, entry.told])
    return _clean_entry(entry) if secrets_in(whole) else entry


def _clean_entry(entry: Entry) -> Entry:
    return replace(
        entry,
        title=clean(entry.title),
        session=clean(entry.session) if entry.session else entry.session,
        tags=tuple(map(clean, entry.tags)),
        references=tuple(map(clean, entry.references)),
        aliases=tuple(map(clean, entry.aliases)),
        links=tuple(
            replace(link, description=clean(link.description)) if link.description else link for link in entry.links
        ),
        rules=tuple((what, term) for what, term in entry.rules if not secrets_in(term)),
        told=clean(entry.told),
    )


def clean(text: str) -> str:
    """Return *text* redacted."""
    return redact(text)[0]


def _entry(node: Node) -> Entry:
    origin = node.extra.get("origin")
    described = [relation.description for relation in node.relations if relation.description]
    return Entry(
        id=node.id,
        kind=NODE,
        type=node.type.value,
        title=node.title,
        created=node.created,
        modified=node.modified,
        status=node.status.value,
        confidence=node.confidence,
        decision_status=node.decision_status.value if node.decision_status else None,
        session=node.session,
        origin=origin if isinstance(origin, str) else None,
        tags=node.tags,
        references=node.references,
        aliases=tuple(texts(node.extra.get("aliases"))),
        rules=_governed(node),
        links=(*(Link(r.type.value, r.target, r.confidence, r.description) for r in node.relations), *_cited(node)),
        authors=tuple(texts([node.extra.get("author"), node.extra.get("authors")])),
        trust=ASSISTANT if node.session else USER,
        changed=freeze.changed(node),
        told="\n".join([*node.references, *described, *_extra_texts(node)]),
    )


def _extra_texts(node: Node) -> Iterator[str]:
    """Yield the file's further text; a link to a successor does not count, as that node has a title of its own."""
    return texts({key: value for key, value in node.extra.items() if key not in (SUPERSEDED_BY, SEEN)})


def _governed(node: Node) -> tuple[Rule, ...]:
    """Return what *node* governs: empty unless it is an accepted decision or a convention, and active."""
    decided = node.type is NodeType.DECISION and node.decision_status is DecisionStatus.ACCEPTED
    if node.status is NodeStatus.SUPERSEDED or not (decided or node.type is NodeType.CONVENTION):
        return ()
    origin = node.extra.get("origin")
    record = origin if isinstance(origin, str) else ""
    own = [(RECORD, path) for path in (node.path, record) if path and decided]
    return (*own, *rules(node.title, node.content, node.references, record))


def _cited(node: Node) -> Iterator[Link]:
    """Yield the link targets in the node's text, by the last part of the name, described by all their spellings."""
    cited: dict[tuple[str, str], dict[str, None]] = {}
    for mention in mentions(node.content) if "[" in node.content else ():
        if mention.leads_to_a_file:
            cited.setdefault((mention.type, last_part(mention.target)), {})[written(mention)] = None
    for (type, name), spellings in cited.items():
        yield Link(type, name, description="\n".join(spellings), kind=CITATION)


def clean_passages(content: str) -> Iterator[Passage]:
    """Yield *content* in passages, redacted, including secrets that span two passages."""
    secrets = secrets_in(content)
    for passage in passages(content):
        if not secrets:
            yield passage
            continue
        text = without(content, secrets, passage.start, passage.stop)
        yield Passage(passage.start, passage.stop, clean(passage.heading), text)


def read(path: str, files: Files) -> Put | None:
    """Return the file at *path* as the index takes it, or None if it is not a readable node."""
    change = _read(path, files)
    return change if isinstance(change, Put) else None


def _read(path: str, files: Files) -> Put | Fault | Gone:
    try:
        data, stamp = files.read(path)
    except FileNotFoundError:
        return Gone(path)
    except StorageError as error:
        return Fault(path, files.scan_one(path), error.reason)
    try:
        return projected(path, stamp, decode(data, path))
    except UnreadableNodeError as error:
        return Fault(path, stamp, error.reason)
