"""Access to memories for every front: rate-limited per minute, and recorded in the audit log."""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil

from autology.core.long_work import Progress
from autology.core.memory import find as finding
from autology.core.memory import purge as purging
from autology.core.memory import trash
from autology.core.memory.item_input import one_of
from autology.core.memory.memories import Memories
from autology.core.memory.ports import Audit, Daily, Event, Tally
from autology.core.memory.store import store
from autology.core.memory.store_result import BLOCKED, DELETED, STORED, UPDATED, WRITTEN, Outcome, Problem, StoreResult
from autology.core.memory.with_team import find_with_team
from autology.core.team import TeamSearch
from autology.model.errors import InputError, RateLimitError, ValidationError
from autology.model.memory import DEDUPES, Memory, Scope, check_scope_part
from autology.text.secrets.query_log import logged

MCP_TOOL, COMMAND_LINE, SERVER = "mcp_tool", "command_line", "server"
"""The origin of a call; SERVER is for the server's own tasks."""
ITEMS, SEARCH = "knowledge_items", "knowledge_search"
EVENTS: Mapping[str, str] = {STORED: "create", UPDATED: "update", DELETED: "delete"}
"""The audit's event for an item's status."""
QUERIED = 20_000
"""Maximum characters of a query that are searched for secrets: the log keeps the first 1,000."""
NAMED = 100
"""Maximum items of one call named in one line."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Maximum stores and searches of an actor per minute; 0 for no limit."""

    store: int = 100
    find: int = 200


@dataclass(frozen=True, slots=True)
class AuditedCall:
    """A call's id in the audit, its duration, and whether all its lines were written."""

    id: str
    duration_ms: float
    audit_logged: bool


class AuditedMemories:
    """Stores, finds, purges and restores memories for *actor*, called from *source*.

    An actor is a session of the client, including its agents and commands; a server whose client names no session, and
    a user's terminal, are actors of their own. The audit contains neither the items' contents nor secrets.
    """

    def __init__(
        self,
        memories: Memories,
        audit: Audit,
        tally: Tally,
        actor: Callable[[], str],
        source: str,
        limits: Callable[[], Limits] = Limits,
        team: Callable[[], TeamSearch | None] = lambda: None,
    ) -> None:
        self.memories = memories
        self.audit = audit
        self.tally = tally
        self.actor = actor
        self.source = source
        self._limits = limits
        self._team = team

    @property
    def limits(self) -> Limits:
        """The current limits of this actor."""
        return self._limits()

    def store(self, items: object, dedupe: str = "skip") -> tuple[StoreResult, AuditedCall]:
        """Store *items*, as :func:`autology.core.memory.store.store` does.

        Raises:
            InputError: the call as a whole is unusable.
            ValidationError: there is no such *dedupe*.
            RateLimitError: too many within a minute.
        """
        call = _Call(self, "memory_store", "batch", ITEMS)
        counted = {"item_count": len(items), "item_types": _kinds(items)} if isinstance(items, list | tuple) else {}
        call.start(self.limits.store, counted)
        with call.recorded(InputError, ValidationError):
            result = store(self.memories, items, one_of("dedupe", dedupe, DEDUPES))
        events = [*_of_outcomes(result.outcomes), *_of_problems(result.problems)]
        call.add(*events)
        return result, call.complete(_stored(result))

    def find(self, request: finding.Request) -> tuple[finding.FoundMemories, AuditedCall]:
        """Find memories, as :func:`autology.core.memory.find.find` does.

        Raises:
            SearchModeError: there is no such mode.
            ValidationError: another part of the request does not fit.
            RateLimitError: too many within a minute.
        """
        call = _Call(self, "memory_find", "query", SEARCH)
        fields = {
            "query": logged(request.query[:QUERIED]),
            "types": list(request.types),
            "scope": _scope(request.scope),
            "mode": request.mode,
            "limit": request.limit,
            "expand": request.expand,
            **({"include_peers": True} if request.include_peers else {}),
        }
        call.start(self.limits.find, fields)
        with call.recorded(ValidationError, finding.SearchModeError):
            for name, part in (_scope(request.scope) or {}).items():
                check_scope_part(name, part)
            if request.include_peers:
                result = find_with_team(self.memories, request, self._team())
            else:
                result = finding.find(self.memories, request)
        outcome = {
            **fields,
            "limit": request.wanted,
            "total": len(result.items),
            "total_found": result.total_found,
            "ids": [item.id for item in result.items][:NAMED],
        }
        return result, call.complete(outcome)

    def purge(self, extend: int = 0, progress: Progress | None = None) -> purging.Purged:
        """Purge memories, as :func:`autology.core.memory.purge.purge` does."""
        purged = self._purge(lambda: purging.purge(self.memories, self.audit, extend, progress))
        assert purged is not None
        return purged

    def purge_daily(self, daily: Daily, extend: int = 0) -> purging.Purged | None:
        """Purge at most once a day; None if another purge ran within a day or is running."""
        if not any(root.files.scan() for root in self.memories.roots):
            return None
        return self._purge(lambda: purging.purge_daily(self.memories, daily, self.audit, extend))

    def restore(self, name: str) -> Memory:
        """Bring a memory back from the trash, as :func:`autology.core.memory.trash.restore` does."""
        call = _Call(self, "memory_restore", "restore", ITEMS)
        with call.recorded():
            memory = trash.restore(self.memories, name)
        call.add(_of_item("restore", memory))
        call.flush()
        return memory

    def refused(self, tool: str, problem: str) -> None:
        """Record that a call of *tool* was refused because its arguments are invalid."""
        _Call(self, tool, "call", SEARCH if tool == "memory_find" else ITEMS).refuse(problem)

    def _purge(self, run: Callable[[], purging.Purged | None]) -> purging.Purged | None:
        call = _Call(self, "memory_purge", "purge", ITEMS)
        with call.recorded():
            purged = run()
        if purged is not None:
            call.add(*(_of_item("delete", memory, reason="expired") for memory in purged.moved))
            call.add(*(_of_item("update", memory, reason="found often") for memory in purged.prolonged))
            call.add(*(Event("refuse", "warn", {"path": path, "reason": reason}) for path, reason in purged.failed))
            counts = {"moved": len(purged.moved), "prolonged": len(purged.prolonged), "failed": len(purged.failed)}
            call.complete({"outcome": _outcome(len(purged.failed)), **counts})
        return purged


class _Call:
    """One call in the audit: its start, the result of each item, its end."""

    def __init__(self, audited: AuditedMemories, name: str, kind: str, resource: str) -> None:
        self._audited = audited
        self._name = name
        moment = int(audited.memories.now().timestamp() * 1000)
        self.id = f"{kind}_{moment}_{secrets.token_hex(5)}"
        about = {"actor": audited.actor(), "source": audited.source}
        self._about = {**about, "resource": resource, f"{kind}_id": self.id}
        self._begun = time.perf_counter()
        self._waiting: list[Event] = []
        self._logged = True

    def start(self, limit: int, fields: Mapping[str, object]) -> None:
        """Record the start. Raises RateLimitError after too many calls within a minute."""
        wait = self._audited.tally.take(self._name, limit) if limit else 0.0
        if wait > 0.0:
            seconds = max(1, ceil(wait))
            limited = {"outcome": "refused", "error_code": "RATE_LIMIT_EXCEEDED", "limit": limit, "wait": seconds}
            self.add(Event(f"{self._name}_rate_limited", "warn", limited))
            self.flush()
            raise RateLimitError(self._name, limit, seconds)
        self.add(Event(f"{self._name}_start", "info", fields))
        self.flush()

    @contextmanager
    def recorded(self, *unfit: type[Exception]) -> Iterator[None]:
        """Record what ends the block early: *unfit* arguments, or another failure."""
        try:
            yield
        except unfit as error:
            self.refuse(str(error))
            raise
        except BaseException as error:
            failure = {"outcome": "failed", "error": f"{type(error).__name__}: {error}"}
            self.add(Event(f"{self._name}_error", "error", failure))
            self.flush()
            raise

    def refuse(self, problem: str) -> None:
        """Record that the call as a whole is invalid."""
        fields = {"outcome": "refused", "error_code": "VALIDATION_ERROR", "validation_errors": [problem]}
        self.add(Event(f"{self._name}_validation_failed", "warn", fields))
        self.flush()

    def add(self, *events: Event) -> None:
        """Queue *events* for the next write."""
        self._waiting += [Event(event.name, event.level, {**self._about, **event.fields}) for event in events]

    def flush(self) -> None:
        """Write the queued events in one piece."""
        if self._waiting:
            self._logged = self._audited.audit.record(self._waiting) and self._logged
            self._waiting = []

    def complete(self, fields: Mapping[str, object]) -> AuditedCall:
        """Record the end, with the queued events."""
        milliseconds = round((time.perf_counter() - self._begun) * 1000, 3)
        self.add(Event(f"{self._name}_complete", "info", {"outcome": "success", **fields, "duration_ms": milliseconds}))
        self.flush()
        return AuditedCall(self.id, milliseconds, self._logged)


def _of_outcomes(outcomes: Sequence[Outcome]) -> Iterator[Event]:
    for outcome in outcomes:
        if outcome.status == BLOCKED:
            continue  # it is among the problems, with its rule
        fields = {
            "id": outcome.id,
            "kind": outcome.memory.kind.value,
            "scope": _scope(outcome.memory.scope),
            "status": outcome.status,
            "existing_id": outcome.existing_id,
            "redacted": list(outcome.redacted) or None,
        }
        yield Event(EVENTS.get(outcome.status, "skip"), "info", fields)


def _of_problems(problems: Sequence[Problem]) -> Iterator[Event]:
    for problem in problems:
        fields = {
            "id": problem.item_id,
            "kind": problem.item_kind,
            "index": problem.index,
            "error_code": problem.error_code,
            "reason": problem.message,
        }
        yield Event("refuse", "error" if problem.error_code == "STORAGE_ERROR" else "warn", fields)


def _of_item(name: str, memory: Memory, reason: str | None = None) -> Event:
    fields = {"id": memory.id, "kind": memory.kind.value, "scope": _scope(memory.scope), "reason": reason}
    return Event(name, "info", fields)


def _stored(result: StoreResult) -> dict[str, object]:
    statuses = Counter(outcome.status for outcome in result.outcomes)
    ids = [outcome.id for outcome in result.outcomes if outcome.status in WRITTEN]
    return {
        "outcome": _outcome(len(result.problems)),
        "item_count": result.total,
        **dict(sorted(statuses.items())),
        "errors": len(result.problems),
        "ids": ids[:NAMED],
    }


def _outcome(failed: int) -> str:
    return "partial" if failed else "success"


def _kinds(items: Sequence[object]) -> list[str]:
    kinds = (item.get("kind") for item in items if isinstance(item, Mapping))
    return [kind[:40] for kind in kinds if isinstance(kind, str)][:NAMED]


def _scope(scope: Scope | None) -> dict[str, str] | None:
    return (scope.set_parts() or None) if scope else None
