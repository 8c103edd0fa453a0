"""A team's hub seen from one space of it, over one server or the one of several that keeps the space."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from fnmatch import fnmatchcase
from functools import cached_property
from uuid import uuid4

from autology.core.hub.port import (
    KEPT,
    KEPT_AT,
    REMOVED,
    Answer,
    Held,
    Member,
    Moved,
    Offer,
    Piece,
    Shown,
    Space,
    State,
    Written,
)
from autology.core.ports import Encoder, Gone, Put, Stamp
from autology.hub import address, schema, writing
from autology.hub.address import Address, is_here
from autology.hub.index import LONG, PostgresIndex
from autology.hub.link import OWN, Link, Links
from autology.hub.moving import Move
from autology.model.entry import Entry
from autology.model.errors import HubError, ValidationError
from autology.model.exchange import Chunk
from autology.model.passage import Passage

Shards = Sequence[tuple[str, Address]]
"""Where spaces are kept: patterns of their names, the first that fits counting."""
Told = tuple[
    Callable[[], Encoder | None],
    Callable[[], str | None],
    float | None,
    dict[tuple[Address, Space], Links],
    Written,
    bool,
]
"""What all that are seen from one hub have in common."""
_STAMP = '\'YYYY-MM-DD"T"HH24:MI:SS"Z"\''


class TeamHub:
    """The :class:`~autology.core.hub.port.Hub` of a space."""

    def __init__(
        self,
        shards: Shards,
        space: Space,
        encoder: Callable[[], Encoder | None] = lambda: None,
        branch: Callable[[], str | None] = lambda: None,
        deadline: float | None = None,
        opened: dict[tuple[Address, Space], Links] | None = None,
        written: Written = OWN,
        copies: bool = True,
    ) -> None:
        self.space = space
        self._opened: dict[tuple[Address, Space], Links] = {} if opened is None else opened
        self._shards = shards
        self._encoder = encoder
        self._branch = branch
        self._deadline = deadline
        self._written = written
        self._copies = copies

    @property
    def place(self) -> str:
        """What the server is called in messages."""
        known = self._opened.get((self._address, self.space))
        return known.address.name if known is not None else self._address.name

    @cached_property
    def _address(self) -> Address:
        for pattern, found in self._shards:
            if fnmatchcase(str(self.space), pattern):
                return found
        raise ValidationError(
            "hub_dsn_file", f"says of no server that it keeps {self.space}", "Add a line for it, or for '*'."
        )

    @cached_property
    def links(self) -> Links:
        """The connections with its server, in its scope."""
        key = (self._address, self.space)
        if key not in self._opened:
            id = schema.space_id(self.space.org, self.space.project)
            # Settings end at a space, and a backslash keeps what follows it: a branch may be called anything.
            branches = (self._branch() or "*").replace("\\", "\\\\").replace(" ", "\\ ")
            scope = f"-c autology.space={id} -c autology.branches={branches}"
            more = (self._kept_at, self._written, self._copies)
            self._opened[key] = Links(self._address, scope, self._deadline, *more)
        return self._opened[key]

    def _kept_at(self, place: str) -> Address | None:
        """Return the address of the server that is called *place*, of those that are known here."""
        return next((found for _, found in self._shards if found.is_at(place)), None)

    @cached_property
    def index(self) -> PostgresIndex:
        """What is shared there, to be searched."""
        return PostgresIndex(self.links, schema.space_id(self.space.org, self.space.project), self._encoder)

    def at(self, space: Space) -> TeamHub:
        """Return the same team's hub, seen from another space, wherever that is kept."""
        return TeamHub(self._shards, space, *self._told)

    def leave(self) -> None:
        """End the connections with this space that nobody uses; whoever asks next makes one anew."""
        self.links.close()

    def everywhere(self) -> list[TeamHub]:
        """Return the hub seen from this space once for each server that there is."""
        addresses = dict.fromkeys(found for _, found in self._shards)
        return [TeamHub([("*", each)], self.space, *self._told) for each in addresses]

    @property
    def _told(self) -> Told:
        return (self._encoder, self._branch, self._deadline, self._opened, self._written, self._copies)

    def spaces(self) -> list[Space]:
        """Return the spaces on its server that are open to whoever asks."""
        with self._bare() as bare:
            rows = bare.read(lambda link: link.run("SELECT org, project FROM autology.spaces()"))
        return [Space(org, project) for org, project in rows]

    def state(self) -> State:
        """Return how its database is, having changed nothing."""
        with self._bare() as bare:
            return schema.state(bare)

    def migrate(self, taken: Callable[[str], None] = lambda _: None) -> int:
        """Bring its database up to date; return how many steps that took. Its owner alone may."""
        with self._bare() as bare:
            return schema.migrate(bare, taken)

    def make(self, dims: int) -> bool:
        """Make this space, searched by vectors of so many numbers; whether it is new. Its owner alone may."""
        with self._bare() as bare:
            schema.vector_index(bare, dims)
            return schema.open_space(bare, self.space.org, self.space.project)

    def move(self, dsn: str, told: Callable[[str], None] = lambda _: None) -> Moved:
        """Move this space to the server at *dsn* while it is used. Both databases' owner alone may."""
        with self._moving(dsn, told) as move:
            return move.run()

    def stay(self, dsn: str) -> None:
        """Give such a move up: the space stays here, and nothing of it there."""
        with self._moving(dsn, lambda _: None) as move:
            move.abort()

    @contextmanager
    def _moving(self, dsn: str, told: Callable[[str], None]) -> Iterator[Move]:
        space = schema.space_id(self.space.org, self.space.project)
        move = Move(self._address, address.read(dsn, dict(os.environ)), space, told)
        try:
            yield move
        finally:
            move.close()

    def encrypted(self) -> bool:
        """Whether what is said with every host of it is encrypted."""
        return all(self._address.encrypts(host) for host, _ in self._address.hosts)

    def replicas(self) -> dict[str, str]:
        """Return what is wrong with each replica that the address names, by what that is called."""
        found: dict[str, str] = {}
        for host in self._address.replicas:
            one = replace(self._address, hosts=(host,), replicas=(), writable=False)
            links = Links(one, deadline=self._deadline)
            try:
                if not links.read(lambda link: link.run("SELECT pg_is_in_recovery()"))[0][0]:
                    found[one.place] = "follows no server"
            except HubError as error:
                found[one.place] = error.reason
            finally:
                links.close()
        return found

    def is_here(self) -> bool:
        """Whether all of its hosts are this very machine."""
        return all(is_here(host) for host, _ in self._address.hosts)

    @contextmanager
    def _bare(self) -> Iterator[Links]:
        """Connections in no space."""
        bare = Links(self._address, deadline=self._deadline, written=self._written, copies=self._copies)
        try:
            yield bare
        finally:
            bare.close()

    def role(self) -> str | None:
        """Return what whoever asks may do here; None for nothing."""

        def ask(link: Link) -> str | None:
            known = "SELECT coalesce(has_schema_privilege(to_regnamespace('autology')::oid, 'USAGE'), false)"
            if not link.run(known)[0][0]:
                return None
            ask = "SELECT autology.role_in(s.here), autology.settled(s.here, false)"
            rows = link.run(f"{ask} FROM (SELECT current_setting('autology.space')::uuid AS here) s")
            return rows[0][0]  # type: ignore[no-any-return]

        return self.links.read(ask)

    def members(self) -> list[Member]:
        """Return who may do what."""
        rows = self.links.read(
            lambda link: link.run("SELECT login, role, branch, granted_by, granted_at FROM autology.members()")
        )
        return [Member(*row) for row in rows]

    def grant(self, login: str, role: str, branch: str = "") -> None:
        """Let *login*, which the server knows, do as *role* says."""
        self.links.write(lambda link: link.run("SELECT autology.give($1, $2, $3)", login, role, branch))

    def revoke(self, login: str, branch: str | None = None) -> int:
        """Take back what *login* may, on one branch or altogether; return how many rights went."""
        return int(self.links.write(lambda link: link.run("SELECT autology.take_back($1, $2)", login, branch))[0][0])

    # ---- memories ----------------------------------------------------------------------------------

    def keep(self, offer: Offer, put: Put | None) -> Answer:
        """Keep a memory, found as *put* says; the same operation again does nothing more and answers the same."""
        encoder = self._encoder() if put is not None else None
        ready = writing.prepared(put, encoder) if put is not None else None

        def write(link: Link) -> Answer:
            ask = "SELECT autology.keep($1, $2, $3, $4, $5, $6)"
            told = link.run(ask, offer.op, offer.id, offer.base, offer.kind, offer.branch, offer.file)[0][0]
            if told["outcome"] in (KEPT, REMOVED) and "again" not in told:
                space = str(schema.space_id(self.space.org, self.space.project))
                writing.write(link, space, [ready or Gone(f"{KEPT_AT}{offer.id}")])
            return Answer(told["outcome"], int(told["version"]), told.get("file"), told.get("login") or "")

        return self.links.write(write)

    def versions(self) -> dict[str, int]:
        """Return the version of every memory that was ever kept here."""
        rows = self.links.read(
            lambda link: link.run("SELECT id, version FROM autology.kept WHERE space = autology.here()")
        )
        return {id: int(version) for id, version in rows}

    def held(self, ids: Sequence[str]) -> list[Held]:
        """Return memories as they are here."""
        return self._held("kept", "k.id = ANY($1) ORDER BY k.id", list(ids))

    def history(self, id: str) -> list[Held]:
        """Return every version of a memory, the last first."""
        return self._held("history", "k.id = $1 ORDER BY k.version DESC", id)

    def shown(self, ids: Sequence[str]) -> dict[str, Shown]:
        """Return what the sources with these ids say."""
        pieces = (
            "SELECT s.id, s.told_by, k.file, t.start, t.stop, t.says FROM autology.source s"
            f" LEFT JOIN autology.kept k ON k.space = s.space AND k.id = s.id AND s.path = '{KEPT_AT}' || s.id"
            " LEFT JOIN autology.text t ON t.space = s.space AND t.source = s.number AND t.start IS NOT NULL"
            " WHERE s.space = autology.here() AND s.id = ANY($1) ORDER BY s.id, t.start"
        )
        found: dict[str, Shown] = {}
        for id, login, file, start, stop, says in self.links.read(lambda link: link.run(pieces, list(ids))):
            known = found.get(id) or Shown(login, (), file)
            found[id] = known if says is None else replace(known, pieces=(*known.pieces, Piece(start, stop, says)))
        return found

    def _held(self, table: str, which: str, value: object) -> list[Held]:
        ask = (
            f"SELECT k.id, k.version, k.kind, k.branch, k.file, k.login, to_char(k.at AT TIME ZONE 'UTC', {_STAMP})"
            f" FROM autology.{table} k WHERE k.space = autology.here() AND {which}"
        )
        return [Held(*row) for row in self.links.read(lambda link: link.run(ask, value))]

    # ---- conversations -----------------------------------------------------------------------------

    def shares(self) -> bool:
        """Whether whoever asks agreed that conversations of this project are shared."""
        return bool(self.links.read(lambda link: link.run("SELECT autology.may_share()"))[0][0])

    def agree(self) -> None:
        """Agree to it."""
        self.links.write(lambda link: link.run("SELECT autology.agree($1)", str(uuid4())))

    def withdraw(self, login: str = "") -> int:
        """Take that back, and with it all that was shared, by whoever asks or, an admin alone may, by *login*.

        Return how many chunks went. Whose right to the space was taken back may all the same.
        """
        act, given = ("withdraw_of($2, $1)", [login]) if login else ("withdraw($1)", [])
        rows = self.links.write(lambda link: link.run(f"SELECT autology.{act}", str(uuid4()), *given), LONG)
        return int(rows[0][0])

    def remains(self, login: str = "") -> dict[str, int]:
        """Return what is left of the conversations that whoever asks shared, or *login*, by name."""
        ask = "SELECT what, many FROM autology.remains(coalesce(nullif($1, ''), session_user))"
        return {what: int(many) for what, many in self.links.read(lambda link: link.run(ask, login))}

    # ---- what grows --------------------------------------------------------------------------------

    def prune(self, audit_days: int | None, versions: int | None, really: bool) -> dict[str, int]:
        """Take out lines of the audit older than so many days, and all but so many versions of each memory.

        Return how many of each go; only that unless *really*. An admin alone may.
        """
        ask = "SELECT what, many FROM autology.prune($1, $2, $3, $4)"
        values = (str(uuid4()), audit_days, versions, really)
        return {what: int(many) for what, many in self.links.write(lambda link: link.run(ask, *values), LONG)}

    def share(self, chunks: Sequence[Chunk]) -> None:
        """Take in chunks of conversations, those that are there already as they are now."""
        encoder = self._encoder()
        ready = [writing.prepared(_said(chunk), encoder) for chunk in chunks]
        space = str(schema.space_id(self.space.org, self.space.project))
        rows = json.dumps([{"id": chunk.id, "chunk": asdict(chunk)} for chunk in chunks])

        def write(link: Link) -> None:
            writing.write(link, space, ready)
            link.run(
                "INSERT INTO autology.said(space, source, chunk) SELECT $1::uuid, s.number, r.chunk"
                " FROM jsonb_to_recordset($2::jsonb) AS r(id text, chunk jsonb)"
                " JOIN autology.source s ON s.space = $1::uuid AND s.id = r.id",
                space,
                rows,
            )

        self.links.write(write, LONG)

    def chunks(self, ids: Sequence[str]) -> Mapping[str, tuple[Chunk, str]]:
        """Return the chunks with these ids, each with whose it is."""
        ask = (
            "SELECT s.id, c.chunk, s.told_by FROM autology.said c JOIN autology.source s"
            " ON s.space = c.space AND s.number = c.source WHERE c.space = autology.here() AND s.id = ANY($1)"
        )
        return {id: (_chunk(told), login) for id, told, login in self.links.read(lambda link: link.run(ask, list(ids)))}

    def close(self) -> None:
        """End its connections, those of the other spaces that were seen from here too."""
        for links in self._opened.values():
            links.close()


def _said(chunk: Chunk) -> Put:
    entry = Entry(
        id=chunk.id, kind=chunk.kind, type=chunk.kind, title="", created=chunk.at, modified=chunk.until,
        session=chunk.session, references=chunk.files, told=chunk.question, project=chunk.project,
        language=chunk.language, authors=chunk.participants, trust=chunk.trust,
    )  # fmt: skip
    return Put(f"said/{chunk.id}", Stamp(len(chunk.text), 0), entry, (Passage(0, len(chunk.text), "", chunk.text),))


def _chunk(told: dict[str, object]) -> Chunk:
    lists = {name: tuple(value) for name, value in told.items() if isinstance(value, list)}
    return Chunk(**{**told, **lists})  # type: ignore[arg-type]
