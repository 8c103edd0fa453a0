"""Updating links when a document moves: those to it, and its own relative ones."""

from __future__ import annotations

import posixpath
from dataclasses import replace

from autology.core.content.draft import Draft
from autology.core.documents import citations, write_checks
from autology.core.documents.codec import DocumentFile
from autology.core.documents.library import Library
from autology.core.documents.link_resolution import Names, renamed_target
from autology.core.index.catalogue import Named
from autology.model.hit import Source
from autology.text.markdown import links
from autology.text.markdown.links import Mention
from autology.text.notes.frontmatter import body_start
from autology.text.slug import key, slug, without_ending


def relink(
    library: Library, draft: Draft[DocumentFile], source: Source, path: str, text: str
) -> tuple[str, tuple[str, ...]]:
    """Update the links to *source*, which moves to *path* with the new *text*.

    Return its own text, and the paths of the other files whose links were updated.
    """
    before, after = library.names(), library.names()
    old = before.at(source.path)
    moved = _moved_names(old, path)
    after.remove(source.path)
    after.add(moved)
    relinked = []
    edges = citations.touching(library.graph.index, [source.id])
    linking_ids = {edge.source for edge in edges if edge.target == source.id} - {source.id}
    for other in sorted(library.graph.index.by_ids(sorted(linking_ids)).values(), key=lambda source: source.path):
        is_node = before.at(other.path) is None
        if not is_node and not write_checks.is_writable(other.path):
            continue  # its links dangle, as analysis reports
        page = library.page(other.path, is_node)
        targets = _targets(page.entry.text, other.path, source.path, moved, before, after)
        if is_node:  # its relations name ids, not paths
            body = body_start(page.entry.text)
            targets = {mention: target for mention, target in targets.items() if mention.start >= body}
        if targets:
            draft.replace(page, replace(page.entry, text=links.rewritten(page.entry.text, targets)))
            relinked.append(other.path)
    return links.rewritten(text, _own_targets(text, source.path, path, moved, before, after)), tuple(relinked)


def _moved_names(old: Named | None, path: str) -> Named:
    stem = without_ending(path.rpartition("/")[2])
    names = set(old.names if old else ())
    if old:
        former = without_ending(old.path.rpartition("/")[2])
        names -= {key(former), key(slug(former))}
    return Named(path, path, tuple(sorted({*names, key(stem), key(slug(stem))})))


def _targets(text: str, path: str, former: str, moved: Named, before: Names, after: Names) -> dict[Mention, str]:
    """Return new targets for the links in *text*, the file at *path*, that led to *former*."""
    targets = {}
    for mention in links.mentions(text):
        if not mention.leads_to_a_file or mention.start < 0:
            continue
        former_target = before.leads_to(mention, path)
        if former_target is None or former_target.path != former:
            continue
        by_title = before.leads_to(mention, path, by_title=False) is None
        if target := renamed_target(mention, path, moved, after, by_title):
            targets[mention] = target
    return targets


def _own_targets(text: str, former: str, path: str, moved: Named, before: Names, after: Names) -> dict[Mention, str]:
    """Return new targets for the moved document's own links: relative ones now start from another folder."""
    targets = {}
    folder, new_folder = former.rpartition("/")[0], path.rpartition("/")[0]
    for mention in links.destinations(text):
        if mention.target.startswith("/"):
            continue
        former_path = posixpath.normpath(posixpath.join(folder, mention.target))
        new_path = path if former_path == former else former_path
        new = posixpath.relpath(new_path, new_folder or ".")
        if posixpath.normpath(mention.target) != new and (folder != new_folder or new_path == path):
            targets[mention] = new + ("/" if mention.target.endswith("/") else "")
    for mention in links.mentions(text):
        if not mention.leads_to_a_file or mention.start < 0 or mention.form in (links.PATH, links.ANGLE):
            continue
        former_target = before.leads_to(mention, former)
        if former_target is None:
            continue
        document = moved if former_target.path == former else after.at(former_target.path)
        by_title = before.leads_to(mention, former, by_title=False) is None
        if document and (target := renamed_target(mention, path, document, after, by_title)):
            targets[mention] = target
    return targets
