"""Sharing the index entries of a project's files: changed ones are sent, deleted ones removed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from autology.core.content.files import Stamp
from autology.core.index.changes import Gone, Put
from autology.core.long_work import Progress
from autology.hub.model import MEMORY_PATH
from autology.hub.ports import Hub
from autology.hub.sync.share_log import FileStamps, LastShare, ShareLog

Reader = Callable[[str], object]
"""Reads the file at a path as a `Put` for the index; returns anything else if it cannot be read."""
BATCH = 200
"""Files per transaction; an interrupted share repeats at most these."""


@dataclass(frozen=True, slots=True)
class ShareResult:
    """The numbers of files sent, removed, and already up to date in the hub."""

    sent: int
    gone: int
    same: int


def share_files(
    hub: Hub,
    files: FileStamps,
    readers: Mapping[str, Reader],
    progress: Progress | None = None,
    last: FileStamps | None = None,
) -> ShareResult:
    """Make the hub's entries of these kinds equal to *files*.

    With *last*, the files of the last share, only local changes since then are sent and only files deleted since then
    are removed, so that files shared by others meanwhile stay.

    Raises:
        HubError: the hub did not accept a batch; those before it stay, and the next call continues.
    """
    sent = gone = same = 0
    total = sum(map(len, files.values()))
    processed = 0
    for kind, stamps in files.items():
        before = last.get(kind, {}) if last is not None else {}
        changed = sorted(path for path, stamp in stamps.items() if before.get(path) != stamp)
        deleted = before.keys() - stamps.keys()
        processed += len(stamps) - len(changed)
        same += len(stamps) - len(changed)
        if last is not None and not changed and not deleted:
            continue
        shared = {path: stamp for path, stamp in hub.index.stamps(kind).items() if not path.startswith(MEMORY_PATH)}
        deleted = shared.keys() - stamps.keys() if last is None else deleted & shared.keys()
        batch: list[Put | Gone] = [Gone(path) for path in sorted(deleted)]
        gone += len(batch)
        for path in changed:
            put = readers[kind](path)
            processed += 1
            if not isinstance(put, Put):
                continue
            put = replace(put, stamp=digest(put))
            if shared.get(path) == put.stamp:
                same += 1
                continue
            batch.append(put)
            sent += 1
            if len(batch) >= BATCH:
                hub.index.apply(batch)
                batch = []
                if progress:
                    progress(processed, total)
        if batch:
            hub.index.apply(batch)
    return ShareResult(sent, gone, same)


def share_all(
    hub: Hub,
    files: FileStamps,
    readers: Mapping[str, Reader],
    share_log: ShareLog,
    branch: str | None,
    progress: Progress | None,
) -> ShareResult:
    """Share all *files* of *branch* and record that, which enables :func:`share_changes`.

    Raises:
        HubError: as :func:`share_files` does.
    """
    result = share_files(hub, files, readers, progress)
    share_log.note(LastShare(hub.index.generation(), branch, files))
    return result


def share_changes(
    hub: Hub, files: FileStamps, readers: Mapping[str, Reader], share_log: ShareLog, branch: str | None
) -> ShareResult | None:
    """Share the changes since the last share; None without a last share, or if that was of another branch.

    Files of another branch do not speak for the project: sharing resumes on the branch that was shared.

    Raises:
        HubError: as :func:`share_files` does.
    """
    last = share_log.last()
    if last is None or last.branch != branch:
        return None
    if last.files == files:
        return ShareResult(0, 0, sum(map(len, files.values())))
    generation = hub.index.generation()
    if generation != last.generation:
        return share_all(hub, files, readers, share_log, branch, None)
    result = share_files(hub, files, readers, None, last.files)
    share_log.note(LastShare(generation, branch, files))
    return result


def digest(put: Put) -> Stamp:
    """Return a stamp computed from the content, equal on every machine; modification times differ per checkout."""
    text = repr((put.entry, put.passages)).encode("utf-8", "surrogatepass")
    return Stamp(sum(len(passage.text) for passage in put.passages), int.from_bytes(sha256(text).digest()[:7], "big"))
