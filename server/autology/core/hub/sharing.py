"""Sharing the projection of a project's files: what differs from what the hub has is sent, what is gone goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from autology.core.hub.port import KEPT_AT, Hub
from autology.core.ports import Gone, Progress, Put, Stamp

Reader = Callable[[str], object]
"""What reads the file at a path as an index takes it, a `Put`; None where it cannot be read."""
BATCH = 200
"""Files a transaction: one that is interrupted repeats at most these."""


@dataclass(frozen=True, slots=True)
class Shared:
    """How many files of a project were sent, taken out, and left as the hub has them already."""

    sent: int
    gone: int
    same: int


def share(
    hub: Hub, known: Mapping[str, Mapping[str, Stamp]], readers: Mapping[str, Reader], progress: Progress | None = None
) -> Shared:
    """Have the hub know the files in *known*, by their kind, as they are now; others of these kinds it forgets.

    Raises:
        HubError: the hub did not take a part in; those before it stay, and the next call goes on.
    """
    sent = gone = same = 0
    total = sum(map(len, known.values()))
    done = 0
    for kind, files in known.items():
        there = {path: at for path, at in hub.index.stamps(kind).items() if not path.startswith(KEPT_AT)}
        batch: list[Put | Gone] = [Gone(path) for path in sorted(there.keys() - files.keys())]
        gone += len(batch)
        for path in sorted(files):
            put = readers[kind](path)
            done += 1
            if not isinstance(put, Put):
                continue
            put = replace(put, stamp=digest(put))
            if there.get(path) == put.stamp:
                same += 1
                continue
            batch.append(put)
            sent += 1
            if len(batch) >= BATCH:
                hub.index.apply(batch)
                batch = []
                if progress:
                    progress(done, total)
        if batch:
            hub.index.apply(batch)
    return Shared(sent, gone, same)


def digest(put: Put) -> Stamp:
    """Return what tells one state of a file from another on every machine: its times differ with each checkout."""
    text = repr((put.entry, put.passages)).encode("utf-8", "surrogatepass")
    return Stamp(sum(len(passage.text) for passage in put.passages), int.from_bytes(sha256(text).digest()[:7], "big"))
