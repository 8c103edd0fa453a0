"""Talking with a hub: connections that end by themselves when no answer comes, and errors that say what to do."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import pg8000.native
from pg8000.exceptions import DatabaseError, InterfaceError

from autology.core.hub.port import Written
from autology.hub.address import Address
from autology.hub.exchange import exchange
from autology.hub.watch import WATCH, Call
from autology.model.errors import AutologyError, HubAwayError, HubError, HubLateError, HubMovedError, HubRefusedError

CONNECT = 2.0
"""Seconds for a connection to come about with one host."""
DEADLINE = 5.0
"""Seconds for one call, all of it: a network that swallows everything would hold it for over a minute."""
KEPT = 4
"""Connections that are kept for later."""
IDLE = 240.0
"""Seconds after which one is made anew instead: what stands between often forgets those that are silent for longer."""
SETTINGS = "-c jit=off -c plan_cache_mode=force_custom_plan -c hnsw.iterative_scan=relaxed_order -c hnsw.ef_search=100"
MOVED, MOVING = "AU001", "AU002"
"""What the server says of a space that another one keeps by now, and of one that is on its way."""
SILENT = 30.0
"""Seconds for which a replica that did not answer is not asked again."""
HOPS = 3
"""Servers that one is sent on to, one after another."""
BEHIND = object()
UNKNOWN = float("inf")
_REFUSED = ("28", "42501")
_AWAY = ("08", "57P", "53300", "25006")
_FULL = ("53100", "53200", "53400", "58030")
_MISSING = ("42P01", "3F000", "42883", "42704", "42703")

T = TypeVar("T")


class Link:
    """A connection that is in use: statements with values, each answered with its rows."""

    def __init__(self, talk: pg8000.native.Connection) -> None:
        self._talk = talk
        self.last = time.monotonic()
        self.replayed = 0.0

    def run(self, sql: str, *values: object) -> list[list[Any]]:
        """Return the rows that *sql* gives with *values* for ``$1`` and so on."""
        if not values:
            return self._talk.execute_simple(sql).rows or []
        return self.together((sql, values))[0]

    def together(self, *asked: tuple[str, Sequence[object]]) -> list[list[list[Any]]]:
        """Return the rows that each of these statements gives with its values, in the time that one of them takes."""
        return exchange(self._talk, [(sql, [_plain(value) for value in values]) for sql, values in asked])

    def copy(self, sql: str, rows: Iterator[str]) -> None:
        """Have *sql*, a COPY FROM STDIN, take in *rows*, which are lines of it."""
        self._talk.execute_unnamed(sql, stream=rows)

    def close(self) -> None:
        """End it, whatever state it is in."""
        file, own = self._talk._sock, self._talk._usock
        with contextlib.suppress(Exception):
            self._talk.close()
        for one in (file, own):
            with contextlib.suppress(Exception):
                one.close()  # what could not be sent any more keeps the driver from closing it

    def cut(self) -> None:
        """End it from another thread: whoever waits for an answer stops waiting."""
        with contextlib.suppress(OSError, AttributeError):
            self._talk._usock.shutdown(socket.SHUT_RDWR)


class Noted:
    """The :class:`~autology.core.hub.port.Written` of this process alone."""

    def __init__(self) -> None:
        self._known: dict[str, float] = {}
        self._lock = threading.Lock()

    def last(self, place: str) -> float:
        """Return how far the log of the server at *place* was."""
        return self._known.get(place, 0.0)

    def note(self, place: str, before: float, now: float) -> None:
        """Note that it is at *now*."""
        with self._lock:
            known = self.last(place)
            self._known[place] = now if known == before else max(known, now)


OWN = Noted()


class Links:
    """Connections with one hub, in the scope that *settings* name; threads may share it.

    Replicas answer, where there are some and *copies* may be asked, once they have what was *written* from here.
    """

    def __init__(
        self,
        address: Address,
        settings: str = "",
        deadline: float | None = None,
        elsewhere: Callable[[str], Address | None] = lambda _: None,
        written: Written = OWN,
        copies: bool = True,
    ) -> None:
        self.address = address
        self.deadline = DEADLINE if deadline is None else deadline
        self._settings = f"{SETTINGS} {settings}".strip()
        self._elsewhere = elsewhere
        self._written = written
        self._may_copies = copies
        self._free: list[Link] = []
        self._replicas: Links | None = None
        self._silent_until = 0.0
        self._lock = threading.Lock()
        self._mine = threading.local()

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep one connection for what this thread asks meanwhile."""
        if getattr(self._mine, "holding", False):
            yield
            return
        self._mine.holding, self._mine.link = True, None
        copies = self._copies()
        try:
            with copies.held() if copies is not None else contextlib.nullcontext():
                yield
        finally:
            link, self._mine.link, self._mine.holding = self._mine.link, None, False
            if link is not None:
                self._keep(link)

    def read(self, ask: Callable[[Link], T], deadline: float | None = None) -> T:
        """Return what *ask* finds; asked once more where the connection turns out to be dead before the time is up.

        A replica answers, where there are some, unless it lacks what was written from here or does not answer soon.

        Raises:
            HubError: the hub cannot be reached, does not answer in time, or refuses.
        """
        until = time.monotonic() + (deadline or self.deadline)
        if (found := self._copied(ask, until)) is not BEHIND:
            return found  # type: ignore[return-value]

        def asked(link: Link) -> T:
            if self._last() == UNKNOWN:
                self._note_written(link, UNKNOWN)
            return ask(link)

        return self._where_it_is(lambda: self._read(asked, until))

    def write(self, act: Callable[[Link], T], deadline: float | None = None) -> T:
        """Return what *act* says, all that it did taken in at once or not at all.

        Raises:
            HubError: as `read` does. HubAwayError leaves open whether it was taken in: repeat it by its operation's id.
        """
        until = time.monotonic() + (deadline or self.deadline)
        return self._where_it_is(lambda: self._write(act, until))

    def _read(self, ask: Callable[[Link], T], until: float) -> T:
        try:
            return self._once(ask, until, fresh=False)
        except HubAwayError:
            if time.monotonic() >= until:
                raise
            return self._once(ask, until, fresh=True)

    def _write(self, act: Callable[[Link], T], until: float) -> T:
        begun: list[Link] = []

        def whole(link: Link) -> T:
            link.run("BEGIN")
            begun.append(link)
            before = self._last()
            done = act(link)
            link.run("COMMIT")
            self._note_written(link, before)
            return done

        try:
            return self._once(whole, until, fresh=False)
        except HubAwayError:
            if begun or time.monotonic() >= until:
                raise
            return self._once(whole, until, fresh=True)  # it was dead already, so that nothing was asked of it

    def _where_it_is(self, call: Callable[[], T]) -> T:
        """Return what *call* does where the space is kept by now."""
        for _ in range(HOPS):
            try:
                return call()
            except HubMovedError as moved:
                found = self._elsewhere(moved.to)
                if found is None or found == self.address:
                    raise
                self.close()
                self.address, self._replicas = found, None
        return call()

    # ---- replicas ----------------------------------------------------------------------------------

    def _copies(self) -> Links | None:
        """Return the connections with replicas; None where there are none, or none that answered a moment ago."""
        if not self.address.replicas or not self._may_copies or time.monotonic() < self._silent_until:
            return None
        if self._replicas is None:
            copy = replace(self.address, hosts=self.address.replicas, replicas=(), writable=False)
            self._replicas = Links(copy, self._settings.removeprefix(SETTINGS), self.deadline)
        return self._replicas

    def _copied(self, ask: Callable[[Link], T], until: float) -> object:
        """Return what a replica finds; BEHIND where the server itself is to be asked."""
        copies = self._copies()
        if copies is None or (written := self._last()) == UNKNOWN:
            return BEHIND

        def caught_up(link: Link) -> object:
            if link.replayed < written:
                told = link.run("SELECT coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0)::float8")
                link.replayed = float(told[0][0])
            return ask(link) if link.replayed >= written else BEHIND

        now = time.monotonic()
        try:
            return copies._once(caught_up, now + (until - now) / 3, fresh=False)
        except HubAwayError:
            self._silent_until = time.monotonic() + SILENT
        except HubError:  # what it lacks as yet, a right for instance, the server itself may have
            pass
        return BEHIND

    def _last(self) -> float:
        """Return how far the log was when something was written from here last; 0 where no replica is ever asked."""
        return self._written.last(self.address.name) if self.address.replicas else 0.0

    def _note_written(self, link: Link, before: float) -> None:
        """Note how far the log is. What was written is taken in by then, whatever becomes of this question."""
        if not self.address.replicas:
            return
        now = UNKNOWN
        try:
            told = link.run("SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8")
            now = float(told[0][0])
        except Exception:  # noqa: BLE001, S110 - then no replica is asked before the server itself has told
            pass
        try:
            self._written.note(self.address.name, before, now)
        except AutologyError:  # it cannot be kept for other processes; this one knows
            self._written = Noted()
            self._written.note(self.address.name, 0.0, now)

    def close(self) -> None:
        """End all connections that nobody uses."""
        with self._lock:
            free, self._free = self._free, []
        for link in free:
            link.close()
        if self._replicas is not None:
            self._replicas.close()

    def _once(self, act: Callable[[Link], T], until: float, fresh: bool) -> T:
        link = None
        call: Call | None = None
        try:
            link = self._taken(until, fresh)
            with WATCH.over(link.cut, until) as call:
                done = act(link)
            link.last = time.monotonic()
        except DatabaseError as error:
            self._drop(link)
            raise told(self.address.name, error) from None
        except (InterfaceError, OSError, AttributeError, TypeError) as error:
            self._drop(link)
            late = call is not None and call.late
            if isinstance(error, AttributeError | TypeError) and not late:
                raise  # our own mistake; cutting a connection shows in the driver as these too
            raise self._away(error, late or time.monotonic() >= until) from None
        except BaseException:
            self._drop(link)
            raise
        if getattr(self._mine, "holding", False):
            self._mine.link = link
        else:
            self._keep(link)
        return done

    def _taken(self, until: float, fresh: bool) -> Link:
        mine = getattr(self._mine, "link", None)
        if mine is not None and not fresh:
            return mine  # type: ignore[no-any-return]
        if not fresh:
            with self._lock:
                while self._free:
                    link = self._free.pop()
                    if time.monotonic() - link.last < IDLE:
                        return link
                    link.close()
        return self._connected(until)

    def _connected(self, until: float) -> Link:
        why: Exception | None = None
        for host, port in self.address.hosts:
            left = min(CONNECT, until - time.monotonic())
            if left <= 0:
                break
            try:
                if (link := self._to(host, port, left)) is not None:
                    return link
                why = InterfaceError("only read-only servers answered")
            except (InterfaceError, OSError) as error:
                why = error
            except DatabaseError as error:
                if not _code(error).startswith(_AWAY):
                    raise
                why = error  # one that is starting or stopping; another may be the one
        raise why or InterfaceError("no host was tried in time")

    def _to(self, host: str, port: int, seconds: float) -> Link | None:
        """Return a connection with one host; None where it is one of several and cannot be written to."""
        address = self.address
        context = address.tls(host)
        where: dict[str, Any] = {"host": host, "port": port}
        if host.startswith("/"):
            where = {"unix_sock": f"{host}/.s.PGSQL.{port}"}
        talk = pg8000.native.Connection(
            address.user,
            database=address.database,
            password=address.password,
            ssl_context=context if context is not None else False,
            timeout=seconds,
            application_name="autology",
            startup_params={"options": self._settings},
            **where,
        )
        link = Link(talk)
        try:
            if address.writable and len(address.hosts) > 1 and link.run("SHOW transaction_read_only")[0] == ["on"]:
                link.close()
                return None
            talk._usock.settimeout(None)  # from here on a call's own deadline holds
        except BaseException:
            link.close()
            raise
        return link

    def _keep(self, link: Link) -> None:
        with self._lock:
            if len(self._free) < KEPT:
                self._free.append(link)
                return
        link.close()

    def _drop(self, link: Link | None) -> None:
        if link is not None:
            if getattr(self._mine, "link", None) is link:
                self._mine.link = None
            link.close()

    def _away(self, error: Exception, late: bool) -> HubError:
        if late:
            return HubLateError(self.address.name, self.deadline)
        if isinstance(error, InterfaceError) and "password" in str(error):
            step = "Put the password into the file that hub_dsn_file names, or into PGPASSWORD."
            return HubRefusedError(self.address.name, "asks for a password and none is known", step)
        if "SSL" in str(error) or "CERTIFICATE" in str(error).upper():
            step = "Give sslrootcert= for a certificate of your own; sslmode=disable only within a network you trust."
            return HubRefusedError(self.address.name, f"cannot be talked with encrypted ({_short(error)})", step)
        return HubAwayError(self.address.name, f"cannot be reached ({_short(error)})")


def told(place: str, error: DatabaseError) -> HubError:
    """Return what the server said as one of our errors."""
    code, said = _code(error), _said(error)
    if code == MOVED:
        return HubMovedError(place, said)
    if code == MOVING:
        return HubAwayError(place, "keeps that space for a moment only to be read: it is being moved to another server")
    if code.startswith(_REFUSED):
        return HubRefusedError(place, said, "Ask an admin of the space: `autology hub grant`.")
    if code.startswith(_AWAY) or _ends(error):
        return HubAwayError(place, said)
    if code.startswith(_FULL) or said.startswith("could not extend file"):
        return HubError(
            place, f"has no room left ({said})", "Nothing was taken in; it is sent again once there is room."
        )
    if code.startswith(_MISSING):
        return HubError(
            place, f"is not set up for this version ({said})", "`autology hub migrate` brings it up to date."
        )
    return HubError(place, said)


def _plain(value: object) -> object:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


def plain(text: str) -> str:
    """Return *text* as a server takes it: it knows no NUL, and no half of a pair."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = text.encode("utf-8", "replace").decode("utf-8")
    return text


def code(error: DatabaseError) -> str:
    """Return the server's code for what went wrong."""
    return _code(error)


def _code(error: DatabaseError) -> str:
    told = error.args[0] if error.args else {}
    return str(told.get("C", "")) if isinstance(told, dict) else ""


def _ends(error: DatabaseError) -> bool:
    """Whether the server itself ends by it: what it was about to take in may be there once it is back."""
    told = error.args[0] if error.args else {}
    return isinstance(told, dict) and told.get("V", told.get("S")) == "PANIC"


def _said(error: DatabaseError) -> str:
    told: Sequence[object] | dict[str, object] = error.args[0] if error.args else {}
    text = str(told.get("M", "")) if isinstance(told, dict) else str(told)
    return " ".join(text.split())[:300] or "refused"


def _short(error: BaseException) -> str:
    cause = error.__cause__ if error.__cause__ is not None else error
    return " ".join(str(cause).split())[:160] or type(error).__name__
