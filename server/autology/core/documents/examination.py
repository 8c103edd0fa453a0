"""The problems of a project's documents, each with a fix."""

from __future__ import annotations

from autology.core.doctor import Diagnosis, Report
from autology.core.documents.library import Library
from autology.model.entry import DOCUMENT

DEFAULT_SOURCES = ("docs", "notes")
"""Folders that are indexed without any settings; it does not matter if one is missing."""


def examine(library: Library) -> Report:
    """Return the number of documents, where they are, and their problems."""
    library.refresh(walk=True)
    index = library.graph.index
    unread = index.faults(DOCUMENT)
    missing = library.layout().missing
    count = len(index.stamps(DOCUMENT)) - len(unread)
    present = [source for source in library.files.sources if source not in missing]
    facts = (("documents", f"{count:,} in {', '.join(present) or 'no folder'}"),)
    step = "Search does not find it. Correct the file by hand."
    findings = [Diagnosis("document", f"{path}: {reason}", step) for path, reason in unread]
    step = "Create the folder, or remove it from documents_sources in the settings."
    findings += [
        Diagnosis("documents", f"the folder {source}/, listed in documents_sources, does not exist", step)
        for source in missing
        if source not in DEFAULT_SOURCES
    ]
    return Report(facts, tuple(findings))
