"""What is wrong with a project's documents, each finding with its fix."""

from __future__ import annotations

from autology.core.doctor import Diagnosis, Report
from autology.core.documents.library import Library
from autology.model.entry import DOCUMENT

STANDARD = ("docs", "notes")
"""Sources that are looked for without anybody having named them: that one is missing is nothing wrong."""


def examine(library: Library) -> Report:
    """Return how the project's documents are."""
    library.refresh(walk=True)
    index = library.graph.index
    unread = index.faults(DOCUMENT)
    missing = library.layout().missing
    count = len(index.stamps(DOCUMENT)) - len(unread)
    there = [source for source in library.files.sources if source not in missing]
    facts = (("documents", f"{count:,} in {', '.join(there) or 'no folder'}"),)
    step = "It is left as it is, and not found by search; fix it by hand."
    findings = [Diagnosis("document", f"{path}: {reason}", step) for path, reason in unread]
    step = "Make the folder, or take it out of documents_sources in the settings."
    findings += [
        Diagnosis("documents", f"there is no folder {source}/, which is to hold documents", step)
        for source in missing
        if source not in STANDARD
    ]
    return Report(facts, tuple(findings))
