"""Finding the document or node that a caller names: by id, path, title, alias, or the last part of an id."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from autology.core.content.files import ABSENT
from autology.core.documents import former_ids
from autology.core.documents.library import STEP, Library
from autology.core.documents.link_resolution import DocumentReference, Names, lookup_names
from autology.core.index.catalogue import Named
from autology.model.entry import DOCUMENT
from autology.model.errors import AmbiguousNameError, DocumentNotFoundError, IndexBusyError, StorageError
from autology.model.hit import Source
from autology.model.node import is_id_prefix, is_uuid4
from autology.model.query import Filter, Terms
from autology.text.slug import key, without_ending
from autology.text.tokens import query_terms, share_a_word

OFFERED = 3
_OUTSIDE = (
    "That file is not among the documents: `documents_sources`, `documents_includes` and `documents_excludes` decide"
    " which are."
)


def find(library: Library, wanted: str, alone: bool = False) -> Source:
    """Return the document or node that *wanted* names: by id, path, title, alias, or the last part of an id.

    A path to a file means that file or nothing. With *alone*, for callers that write, a partial path does not count,
    and a bare name only if no other document has it.

    Raises:
        DocumentNotFoundError: none does.
        AmbiguousNameError: several do.
        StorageError: the document of that name cannot be read.
    """
    index = library.index
    name = wanted.strip()
    if not name or len(name) > 1_000:
        raise DocumentNotFoundError(wanted)
    exact = index.by_ids([name, name.lower()])
    if source := exact.get(name) or exact.get(name.lower()):
        return source
    reference = DocumentReference.read(name, library.files.root)
    wanted_names = [*lookup_names(reference.text, reference.path), *former_ids.lookup_names(reference.text)]
    names = Names(index.by_name(list(dict.fromkeys(wanted_names)), DOCUMENT))
    matching = _matching(library, names, reference, alone)
    sources = list(index.by_ids([named.id for named in matching]).values())
    if not sources:
        sources = _nodes(library, reference)
    if len(sources) > 1:
        raise AmbiguousNameError(name, sorted((source.id, source.title) for source in sources))
    if not sources:
        _refuse_unread(library, reference)
        if library.degraded.behind:
            return _unindexed(library, reference, alone)
        step = _OUTSIDE if _is_there(library, reference) else ""
        raise DocumentNotFoundError(wanted, _near(library, name) or _near_nodes(library, name), step)
    return sources[0]


def _matching(library: Library, names: Names, reference: DocumentReference, alone: bool) -> Sequence[Named]:
    """Return the documents that *reference* can mean; the path of an existing file means only that file."""
    if former := _former(library, names, reference):
        return [former]
    matching = names.matching(reference, alone)
    if not reference.is_file or names.exact(reference) or not _is_there(library, reference):
        return matching
    # Two names of one file that differ in case, on a case-insensitive file system.
    scan, name = library.files.scan_one, key(reference.path)
    return [named for named in matching if scan(named.path) == scan(reference.path) and key(named.path) == name]


def _former(library: Library, names: Names, reference: DocumentReference) -> Named | None:
    """Return the document whose id *reference* was before paths became ids; None if it names a document's path."""
    if names.exact(reference):
        return None
    ids = former_ids.former_ids((named.path for named in names), library.files.sources)
    wanted = (reference.text, reference.text.lower())
    return next((names.at(path) for path, id in ids.items() if id in wanted), None)


def _is_there(library: Library, reference: DocumentReference) -> bool:
    return reference.is_file and bool(reference.path) and library.files.scan_one(reference.path) != ABSENT


def _unindexed(library: Library, reference: DocumentReference, alone: bool) -> Source:
    """Return the only document whose id or path is *reference*, from its file, or the node of that id.

    Raises:
        AmbiguousNameError: it means several.
        IndexBusyError: it may be one's title or alias, which the index does not know yet.
    """
    names = Names(Named(path, path) for path in library.files.scan().files)
    matching = _matching(library, names, reference, alone)
    if len(matching) > 1:
        raise AmbiguousNameError(reference.text, sorted((named.path, "not read yet") for named in matching))
    if not matching and is_id_prefix(reference.text.lower()):
        return library.graph.source(reference.text)
    put = library.put(matching[0].path) if matching else None
    if put is None:
        raise IndexBusyError(library.files.root)
    entry = put.entry
    when = (entry.created, entry.modified)
    return Source(
        matching[0].id, entry.type, entry.title, entry.status, entry.confidence, *when, put.path, kind=DOCUMENT
    )


def _refuse_unread(library: Library, reference: DocumentReference) -> None:
    """Raise StorageError if a document of that name exists but cannot be read: it is not missing."""
    name = without_ending(reference.path).lower()
    for path, reason in library.index.faults(DOCUMENT):
        unread = without_ending(path).lower()
        if name == unread or (not reference.has_folder and name == unread.rpartition("/")[2]):
            raise StorageError(path, reason, STEP)


def _near(library: Library, wanted: str) -> list[str]:
    """Return up to three ids similar to *wanted*."""
    terms = Terms(query_terms(wanted[:200])[:8])
    candidates = library.index.lexical_candidates(terms, Filter(kind=DOCUMENT), False, OFFERED) if terms else []
    sources = dict.fromkeys(candidate.source for candidate in candidates)
    return [source.id for source in sources if share_a_word(wanted, f"{source.id} {source.title}")][:OFFERED]


def _near_nodes(library: Library, wanted: str) -> list[str]:
    return [f"{title} ({type}, {id[:8]})" for title, type, id in library.graph.near(wanted)]


def _nodes(library: Library, reference: DocumentReference) -> list[Source]:
    index, name = library.index, reference.text
    if record := library.graph.record_at(reference.path):
        return list(index.by_ids([record]).values())
    matching: Iterable[Source] = index.by_title([name])
    if is_id_prefix(name.lower()):
        matching = [*matching, *index.by_prefix(name.lower(), 6)]
    stem = without_ending(reference.path).rpartition("/")[2].lower()
    if reference.is_file and is_uuid4(stem):
        named = index.by_ids([stem]).values()
        matching = [
            *matching,
            *(source for source in named if not reference.has_folder or source.path == reference.path),
        ]
    sources = list({source.id: source for source in matching}.values())
    if len(sources) > 1:
        raise AmbiguousNameError(name, sorted((source.id, source.type) for source in sources), "nodes")
    return sources
