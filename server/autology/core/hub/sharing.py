"""Sharing the projection of a project's files: what differs from what the hub has is sent, what is gone goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from autology.core.hub.port import KEPT_AT, Files, Hub, Last, Shares
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
    hub: Hub, known: Files, readers: Mapping[str, Reader], progress: Progress | None = None, last: Files | None = None
) -> Shared:
    """Have the hub know the files in *known*, by their kind, as they are now; others of these kinds it forgets.

    With *last*, what was shared from here before, only what changed here since is sent, and only what is gone since
    is forgotten: what somebody else shares meanwhile stays.

    Raises:
        HubError: the hub did not take a part in; those before it stay, and the next call goes on.
    """
    sent = gone = same = 0
    total = sum(map(len, known.values()))
    done = 0
    for kind, files in known.items():
        before = last.get(kind, {}) if last is not None else {}
        changed = sorted(path for path, at in files.items() if before.get(path) != at)
        left = before.keys() - files.keys()
        done += len(files) - len(changed)
        same += len(files) - len(changed)
        if last is not None and not changed and not left:
            continue
        there = {path: at for path, at in hub.index.stamps(kind).items() if not path.startswith(KEPT_AT)}
        left = there.keys() - files.keys() if last is None else left & there.keys()
        batch: list[Put | Gone] = [Gone(path) for path in sorted(left)]
        gone += len(batch)
        for path in changed:
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


def whole(
    hub: Hub, known: Files, readers: Mapping[str, Reader], shares: Shares, branch: str | None, progress: Progress | None
) -> Shared:
    """Share all files in *known*, of that *branch*, and note that: from then on :func:`changed` goes by itself.

    Raises:
        HubError: as :func:`share` does.
    """
    done = share(hub, known, readers, progress)
    shares.note(Last(hub.index.generation(), branch, known))
    return done


def changed(hub: Hub, known: Files, readers: Mapping[str, Reader], shares: Shares, branch: str | None) -> Shared | None:
    """Share what changed since this project was shared from here; None where it never was, or is on another branch.

    What a branch says is not what the project says: the hub is told once it is back on the one that was shared.

    Raises:
        HubError: as :func:`share` does.
    """
    last = shares.last()
    if last is None or last.branch != branch:
        return None
    if last.files == known:
        return Shared(0, 0, sum(map(len, known.values())))
    generation = hub.index.generation()
    if generation != last.generation:
        return whole(hub, known, readers, shares, branch, None)
    done = share(hub, known, readers, None, last.files)
    shares.note(Last(generation, branch, known))
    return done


def digest(put: Put) -> Stamp:
    """Return what tells one state of a file from another on every machine: its times differ with each checkout."""
    text = repr((put.entry, put.passages)).encode("utf-8", "surrogatepass")
    return Stamp(sum(len(passage.text) for passage in put.passages), int.from_bytes(sha256(text).digest()[:7], "big"))
