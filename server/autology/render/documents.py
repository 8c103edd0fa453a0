"""Documents, their links and folders, and the results of changing them, as JSON, for all front ends."""

from __future__ import annotations

from typing import Any

from autology.core.documents.create import Created
from autology.core.documents.delete_restore import Discarded
from autology.core.documents.explore import Explored
from autology.core.documents.search import DocumentHit, DocumentResults
from autology.core.documents.structure import FolderTree
from autology.core.documents.tagging import Tagged
from autology.core.documents.update import Edited
from autology.model.node import TITLE_LIMIT
from autology.text.redaction import redact
from autology.text.sanitising import clean_line, visible

Json = dict[str, Any]


def results(result: DocumentResults) -> list[Json]:
    """Return search hits, best first; scores are strings with three decimals.

    ``also`` lists ids with nearly the same text. Hits shared by team members include a title and ``whose`` they are,
    because their files cannot be read here.
    """
    return [_hit(hit) for hit in result.hits]


def explored(result: Explored) -> list[Json]:
    """Return links; outgoing links of the requested document omit their source."""
    return [
        {
            **({} if edge.source == result.id else {"source": redact(visible(edge.source))[0]}),
            "target": redact(visible(edge.target))[0],
            "type": redact(visible(edge.type))[0],
        }
        for edge in result.edges
    ]


def structure(tree: FolderTree, counts: bool) -> list[Any]:
    """Return folders, optionally with their document *counts*."""
    if not counts:
        return [visible(folder.path) for folder in tree.folders]
    return [{"path": visible(folder.path), "documents": folder.documents} for folder in tree.folders]


def tagged(result: Tagged) -> str:
    """Return the result of adding tags as text."""
    return f"Injected {result.added} tag{'' if result.added == 1 else 's'} into {clean_line(result.requested, 500)}"


def created(result: Created) -> Json:
    """Return the new document."""
    entry: Json = {"id": result.id, "path": result.path, "hash": result.hash, "size": result.size}
    return {**entry, "redacted": list(result.redacted)} if result.redacted else entry


def updated(result: Edited) -> Json:
    """Return the updated document and the links rewritten."""
    entry: Json = {"id": result.id, "path": result.path, "hash": result.hash}
    entry |= {"size_before": result.size_before, "size_after": result.size_after}
    if result.renamed_from is not None:
        entry |= {"renamed_from": result.renamed_from, "links_rewritten_in": list(result.relinked)}
    return {**entry, "redacted": list(result.redacted)} if result.redacted else entry


def deleted(result: Discarded) -> Json:
    """Return where a document was moved, and the links that dangle now."""
    paths = dict(result.paths)
    dangling = [{"source": e.source, "type": e.type, "path": paths.get(e.source, "")} for e in result.dangling]
    return {"id": result.id, "path": result.path, "hash": result.hash, "trash": result.trash, "dangling": dangling}


def _hit(hit: DocumentHit) -> Json:
    entry: Json = {
        "id": hit.source.id,
        "score": f"{hit.score:.3f}",
        "preview": redact(visible(hit.preview))[0],
        "source": hit.branch,
    }
    if hit.also:
        entry["also"] = [source.id for source in hit.also]
    if hit.whose:
        entry["title"] = clean_line(redact(visible(hit.source.title))[0], TITLE_LIMIT)
        entry["whose"] = clean_line(hit.whose, 300)
    return entry
