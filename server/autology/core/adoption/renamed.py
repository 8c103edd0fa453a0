"""Records that were renamed: their sidecars are told where they are now, so that other clones need not find out."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from autology.model.errors import StorageError
from autology.text.notes import sidecar

if TYPE_CHECKING:
    from autology.core.nodes.graph import Graph
    from autology.core.nodes.node_draft import NodeDraft


def follow(graph: Graph) -> int:
    """Write the present paths of renamed records into their sidecars; return how many were written."""
    records = graph.records
    if records is None:
        return 0
    moved = [one for one in records.snapshot.sidecars.values() if one.now and one.now != one.record]
    if not moved:
        return 0

    def act(draft: NodeDraft) -> int:
        count = 0
        for one in moved:
            try:
                data = graph.files.read(one.path)[0]
            except (FileNotFoundError, StorageError):  # it went meanwhile, or cannot be read: the doctor names it
                continue
            before = sidecar.read(data)
            if before is None or sidecar.path_of(before) != one.record:
                continue
            extra = MappingProxyType({**before.extra, sidecar.RECORD: one.now})
            draft.stage(one.path, data, sidecar.edited(data, before, replace(before, extra=extra)))
            count += 1
        return count

    return graph.change(act)
