"""The state of memories: health checks, counts, due purges, and a summary of the audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from autology.core.memory import expiry, purge, trash
from autology.core.memory.audited_memories import Limits
from autology.core.memory.memories import USER, Memories
from autology.core.memory.ports import Audit, AuditState, Daily
from autology.model.entry import MEMORY
from autology.model.errors import StorageError
from autology.model.hit import Source
from autology.model.memory import Kind, Scope
from autology.model.next_step import Action, Sentence, do
from autology.text.language.plural import counted
from autology.text.language.timestamps import moment, stamp

OK, WARN, ERROR = "ok", "warn", "error"
LATE = timedelta(days=2)
"""Expired items older than this show that nothing purges them: a server does so once a day."""
LATEST = 10
SCOPES = 20
RECENT = timedelta(days=7)
"""The period of the audit's summary, and of reported gaps."""


@dataclass(frozen=True, slots=True)
class Overseen:
    """The subjects of the checks: memories, audit, settings.

    *extend* and *purges* are the settings for prolonging and for the server's daily purge; *unwritable* returns the
    folders that cannot be written, with the reason.
    """

    memories: Memories
    audit: Audit
    daily: Daily
    limits: Limits
    extend: int
    purges: bool
    unwritable: Callable[[], Sequence[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class Check:
    """One check: ok, warn or error, the state, and the next step."""

    name: str
    status: str
    message: str
    step: str = ""


@dataclass(frozen=True, slots=True)
class MemoryCounts:
    """Counts of memories: by kind, scope and root; and of expired, broken and deleted ones."""

    kinds: Mapping[str, int]
    scopes: Sequence[tuple[Mapping[str, str], int]]
    project: int
    user: int
    expired: int
    permanent: int
    unreadable: int
    trashed: int
    oldest: str | None
    newest: str | None

    @property
    def total(self) -> int:
        """The total number, expired ones included."""
        return self.project + self.user


@dataclass(frozen=True, slots=True)
class Preview:
    """What a purge would do now, and the times of the last and the next one."""

    due: purge.DueMemories
    last: str | None
    next: str | None


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of the audit since a time."""

    state: AuditState
    since: str
    events: Mapping[str, int]
    levels: Mapping[str, int]
    actors: Mapping[str, int]
    duplicates: int
    missed: int
    unreadable: int
    store_ms: float | None
    find_ms: float | None
    found_most: Sequence[tuple[str, int]]
    refusals: Sequence[Mapping[str, object]] = field(default=())


def health(overseen: Overseen) -> list[Check]:
    """Return the checks and their results."""
    memories, limits = overseen.memories, overseen.limits
    memories.refresh(walk=True)
    return [
        _storage(memories, overseen.unwritable()),
        _index(memories),
        _meaning(memories),
        _files(memories),
        audit_kept(overseen.audit, stamp(memories.now() - RECENT)),
        lifetimes_kept(memories, overseen.daily),
        Check("limits", OK, f"a session may store {_often(limits.store)} and find {_often(limits.find)}"),
    ]


def overall(checks: Iterable[Check]) -> str:
    """Return the worst level of *checks*."""
    levels = {check.status for check in checks}
    return next((status for status in (ERROR, WARN) if status in levels), OK)


def stats(memories: Memories) -> MemoryCounts:
    """Return the counts of memories."""
    memories.refresh(walk=True)
    now = memories.stamp()
    every = memories.read_current(memories.sources)
    kinds = Counter(source.type for source in every)
    scopes = Counter((source.org, source.scope_project, source.branch) for source in every)
    created = [source.created for source in every]
    return MemoryCounts(
        kinds={kind.value: kinds.get(kind.value, 0) for kind in Kind},
        scopes=[(Scope(*parts).set_parts(), many) for parts, many in scopes.most_common(SCOPES)],
        project=sum(not source.path.startswith(USER) for source in every),
        user=sum(source.path.startswith(USER) for source in every),
        expired=sum(_over(source, now) for source in every),
        permanent=sum(source.expires_at is None for source in every),
        unreadable=len(memories.faults()),
        trashed=len(trash.trash(memories)),
        oldest=min(created, default=None),
        newest=max(created, default=None),
    )


def preview(overseen: Overseen) -> Preview:
    """Return what a purge would do."""
    last = overseen.daily.last()
    following = stamp(moment(last) + timedelta(days=1)) if last else overseen.memories.stamp()
    return Preview(
        purge.due(overseen.memories, overseen.audit, overseen.extend), last, following if overseen.purges else None
    )


def summary(audit: Audit, since: str) -> Summary:
    """Return a summary of the audit since a time."""
    entries = list(audit.entries(since))
    events = Counter(str(entry["event"]) for entry in entries)
    ids = Counter(id for entry in entries if entry["event"] == expiry.FIND_EVENT for id in _texts(entry.get("ids")))
    wrong = [entry for entry in entries if entry.get("level") != "info" and entry["event"] != UNREADABLE]
    return Summary(
        state=audit.state(),
        since=since,
        events=dict(sorted(events.items())),
        levels=dict(sorted(Counter(str(entry.get("level")) for entry in entries).items())),
        actors=dict(Counter(str(entry["actor"]) for entry in entries if "actor" in entry).most_common(LATEST)),
        duplicates=events.get("skip", 0),
        missed=sum(_whole(entry.get("missed")) for entry in entries if entry["event"] == GAP),
        unreadable=events.get(UNREADABLE, 0),
        store_ms=_mean(entries, "memory_store_complete"),
        find_ms=_mean(entries, expiry.FIND_EVENT),
        found_most=[(id, times) for id, times in ids.most_common(LATEST) if times > 1],
        refusals=wrong[:LATEST],
    )


GAP, UNREADABLE = "audit_gap", "unreadable"
"""The audit's events for lines that could not be written, and for unreadable lines."""


# ---- the checks --------------------------------------------------------------------------------------


def _storage(memories: Memories, unwritable: Sequence[tuple[str, str]]) -> Check:
    faults = [root.fault for root in memories.roots if root.fault]
    if faults:
        message = "; ".join(f"{fault.path}: {fault.reason}" for fault in faults)
        return Check("storage", ERROR, message, "Make the folder readable; memories in it are found as last seen.")
    if unwritable:
        step = "Make room, or make it writable for yourself; nothing can be stored there until then."
        problem = "; ".join(f"{folder} cannot be written: {reason}" for folder, reason in unwritable)
        return Check("storage", ERROR, problem, step)
    return Check("storage", OK, "memories can be read and written")


_RUN_DOCTOR = Sentence("Run ", do(Action.DOCTOR), ".")


def _index(memories: Memories) -> Check:
    try:
        many = len(memories.index.stamps(MEMORY))
    except StorageError as error:
        return Check("index", ERROR, f"{error.path}: {error.reason}", _RUN_DOCTOR)
    return Check("index", OK, f"knows {counted(many, 'memory file')}")


def _meaning(memories: Memories) -> Check:
    state = memories.index.encoder_state(MEMORY)
    if state.fault:
        return Check(
            "meaning", WARN, state.fault, Sentence(do(Action.USE_MODEL, model="static"), " does without the model.")
        )
    if not state.name:
        return Check("meaning", WARN, "memories are found by words alone", _RUN_DOCTOR)
    coming = f"; {state.pending} has seen {state.done:,} of {state.total:,} passages" if state.pending else ""
    return Check("meaning", OK, f"memories are searched by {state.name}{coming}")


def _files(memories: Memories) -> Check:
    broken = memories.faults()
    if not broken:
        return Check("files", OK, "every file can be read")
    path, reason = broken[0]
    message = f"{counted(len(broken), 'file')} cannot be read as memories: {path}: {reason}"
    return Check("files", WARN, message, Sentence("Fix them by hand; ", do(Action.DOCTOR), " names each."))


def audit_kept(audit: Audit, since: str) -> Check:
    """Check that the audit is written, and has had no gap since a time."""
    state = audit.state()
    if not state.on:
        return Check("audit", OK, "nothing is written down: the setting `audit` is off")
    if state.trouble:
        return Check("audit", ERROR, f"cannot be written: {state.trouble}", "Make it writable; calls go on meanwhile.")
    missed = sum(_whole(entry.get("missed")) for entry in audit.entries(since) if entry["event"] == GAP)
    if missed:
        message = f"{counted(missed, 'line')} of the last {RECENT.days} days could not be written"
        return Check(
            "audit", WARN, message, "Look for a full disk; what was stored is safe, only the lines are missing."
        )
    return Check("audit", OK, f"{counted(state.files, 'file')}, {state.bytes:,} bytes in {state.path}")


def lifetimes_kept(memories: Memories, daily: Daily) -> Check:
    """Check that expired memories are purged."""
    now, late = memories.stamp(), stamp(memories.now() - LATE)
    over = [source for source in memories.read_current(memories.sources) if _over(source, now)]
    last = daily.last()
    purged = f"a server purged last on {last}" if last else "no server has purged yet"
    message = f"{counted(len(over), 'item', 'are')} over; {purged}"
    if any(_over(source, late) for source in over):
        step = Sentence(do(Action.PURGE_MEMORIES, yes=True), " moves them to the trash.")
        return Check("lifetimes", WARN, message, step)
    return Check("lifetimes", OK, message)


def _over(source: Source, now: str) -> bool:
    return source.expires_at is not None and source.expires_at <= now


def _often(limit: int) -> str:
    return f"{counted(limit, 'time')} a minute" if limit else "at any rate"


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, str))


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 1


def _mean(entries: Sequence[Mapping[str, object]], event: str) -> float | None:
    times = [entry["duration_ms"] for entry in entries if entry["event"] == event and "duration_ms" in entry]
    numbers = [float(time) for time in times if isinstance(time, int | float)]
    return round(sum(numbers) / len(numbers), 1) if numbers else None
