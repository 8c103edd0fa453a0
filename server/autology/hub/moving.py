"""Moving a space to another server while it is used: copied, caught up with, held still for a moment, handed over.

Whatever stops it, the space is whole on one of the two: the server it leaves says where it is, and only once everything
there was compared. The next call goes on where this one stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from autology.core.hub.port import Moved
from autology.hub import schema
from autology.hub.address import Address
from autology.hub.link import Link, Links
from autology.model.errors import HubError

COMING, GOING, GONE, HERE = "coming", "going", "gone", "here"
PASS = 3_600.0
"""Seconds for one pass over a space: what it holds is read on both servers, and compared."""
TOGETHER = 200
"""Rows that go in one statement: some have kilobytes."""
FEW = 200
"""Rows that differ, with which the space is held still: they go over within a second."""
PASSES = 6
"""Passes before it is held still all the same: what is written quicker than it is copied never ends."""
STILL = 300
"""Seconds for which it stays held still by itself, should whoever moves it die: then writing goes on where it was."""
WRITERS = 150.0
"""Seconds that who writes already is waited for: no transaction of ours lasts longer than 120."""
# What rows look like as text is to be the same on both servers.
ALIKE = "-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres -c extra_float_digits=1 -c bytea_output=hex"


@dataclass(frozen=True, slots=True)
class Table:
    """A table that holds rows of spaces: its columns, and those of its key with their types, the space aside."""

    name: str
    columns: tuple[str, ...]
    keys: tuple[tuple[str, str], ...]

    @property
    def key(self) -> str:
        """An expression for what names a row within its space."""
        return f"jsonb_build_array({', '.join(f't.{name}' for name, _ in self.keys)})::text"


class Move:
    """One space on its way; *source* and *target* are connections of the databases' owners."""

    def __init__(
        self, source: Address, target: Address, space: UUID, told: Callable[[str], None] = lambda _: None
    ) -> None:
        self.space = str(space)
        self.place = target.place
        settings = f"{ALIKE} -c autology.moving={space}"
        # No replica is asked: what it lacks as yet would be lost.
        self.source, self.target = (Links(each, settings, PASS, copies=False) for each in (source, target))
        self._told = told
        self._copied = 0

    def close(self) -> None:
        """End its connections."""
        self.source.close()
        self.target.close()

    def run(self) -> Moved:
        """Move it, from wherever an earlier call stopped.

        Raises:
            HubError: it did not come about. What was copied stays, the space is where it was; the next call goes on.
        """
        with self._alone():
            self._check()
            self._copied = 0
            rows: dict[str, int] = {}
            passes, still = 0, 0.0
            if self._state(self.source)[0] != GONE:
                self._receive()
                for passes in range(1, PASSES + 1):
                    many = self._level()
                    self._told(f"pass {passes}: {many:,} rows differed")
                    if many <= FEW:
                        break
                rows, still = self._hand_over()
            self._arrive()
            self._clear()
        return Moved(rows, self._copied, passes, still)

    def abort(self) -> None:
        """Leave the space where it was, and nothing of it on the other server.

        Raises:
            HubError: it was handed over already.
        """
        with self._alone():
            self._abort()

    def _abort(self) -> None:
        if self._state(self.source)[0] == GONE:
            step = "Call it again without --abort to complete it; another move brings it back."
            raise HubError(self.source.address.name, "has handed the space over already", step)
        if self._state(self.target)[0] == COMING:
            self._erase(self.target, [table.name for table in self._tables(self.target)])
            self.target.write(lambda link: link.run("DELETE FROM autology.placing WHERE space = $1", self.space))
        self.source.write(
            lambda link: link.run("DELETE FROM autology.placing WHERE space = $1 AND state = 'going'", self.space)
        )

    # ---- before ------------------------------------------------------------------------------------

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Be the only one to move this space. Raises HubError where another one does, or both servers are one."""
        take, key = "SELECT pg_try_advisory_lock(hashtextextended($1, 0))", f"autology moves {self.space}"
        brief = take.replace("advisory_lock", "advisory_xact_lock")
        with self.source.held():
            if not self.source.read(lambda link: link.run(take, key))[0][0]:
                raise HubError(self.source.address.name, "has this space moved by somebody", "Wait for that to end.")
            try:
                if not self.target.read(lambda link: link.run(brief, key))[0][0]:
                    raise HubError(self.target.address.name, "is the server that the space is on", "Name another one.")
                yield
            finally:
                self.source.read(lambda link: link.run("SELECT pg_advisory_unlock_all()"))

    def _check(self) -> None:
        here, there = schema.state(self.source), schema.state(self.target)
        if here.step != here.steps or there.step != there.steps:
            behind = self.source if here.step != here.steps else self.target
            step = "`autology hub migrate`, as the owner of each, brings both to the same form first."
            raise HubError(behind.address.name, "is not at this program's step", step)
        state, place = self._state(self.source)
        if state == GONE and place != self.place:
            raise HubError(self.source.address.name, f"handed the space to {place}", "Move it from there.")
        if not self._holds(self.source) and state != GONE:
            raise HubError(self.source.address.name, "holds no such space", "`autology hub status` names yours.")
        if self._state(self.target)[0] in ("", HERE) and self._holds(self.target):
            step = "Two hubs cannot be put together; move it into a database that has no such space."
            if state != GONE:
                raise HubError(self.target.address.name, "has a space of that name, in use", step)

    def _holds(self, links: Links) -> bool:
        return bool(links.read(lambda link: link.run("SELECT FROM autology.space WHERE space = $1", self.space)))

    def _state(self, links: Links) -> tuple[str, str]:
        return links.read(self._told_state)

    def _told_state(self, link: Link) -> tuple[str, str]:
        rows = link.run("SELECT state, place FROM autology.placing WHERE space = $1", self.space)
        return (str(rows[0][0]), str(rows[0][1])) if rows else ("", "")

    def _receive(self) -> None:
        """Have the target know that the space comes, with its logins, and with every index that the source has."""
        ask = "SELECT DISTINCT login FROM autology.member WHERE space = $1 ORDER BY 1"
        logins = [str(login) for (login,) in self.source.read(lambda link: link.run(ask, self.space))]
        known = "SELECT rolname FROM pg_roles WHERE rolname = ANY($1)"
        there = {str(login) for (login,) in self.target.read(lambda link: link.run(known, logins))}
        if missing := [login for login in logins if login not in there]:
            step = f"`CREATE ROLE … LOGIN` there for: {', '.join(missing[:20])}."
            raise HubError(self.target.address.name, f"does not know {len(missing)} of the space's logins", step)
        indexes = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'autology' ORDER BY 1"
        made = {str(name) for name, _ in self.target.read(lambda link: link.run(indexes))}
        missing_ones = [
            str(told) for name, told in self.source.read(lambda link: link.run(indexes)) if name not in made
        ]

        def receive(link: Link) -> None:
            link.run(
                "INSERT INTO autology.placing(space, state) VALUES ($1, 'coming')"
                " ON CONFLICT (space) DO UPDATE SET state = 'coming', place = '', until = NULL",
                self.space,
            )
            for login in logins:
                grant = str(link.run("SELECT format('GRANT autology_member TO %I', $1::text)", login)[0][0])
                link.run(grant)
            link.run("SET LOCAL search_path = public, pg_temp")
            for told in missing_ones:
                link.run(told)

        self.target.write(receive)

    # ---- copying -----------------------------------------------------------------------------------

    def _tables(self, links: Links) -> list[Table]:
        """Return the tables that hold rows of spaces, what others refer to before these."""
        rows = links.read(lambda link: link.run(_TABLES))
        tables = {
            str(name): Table(str(name), tuple(columns), tuple((str(key), str(type)) for key, type in keys))
            for name, columns, keys, _, _ in rows
        }
        needs = {str(row[0]): {str(name) for name in row[3]} & tables.keys() - {str(row[0])} for row in rows}
        passive = {str(row[0]) for row in rows if not row[4]}
        ordered: list[Table] = []
        while needs:
            free = [name for name, others in needs.items() if not others & needs.keys()]
            # What acts on others as it is filled comes before these, which then are made as they are over there.
            first = min(free, key=lambda name: (name in passive, name))
            ordered.append(tables[first])
            del needs[first]
        return ordered

    def _level(self) -> int:
        """Make the target what the source is at this moment; return how many rows differed."""
        tables = self._tables(self.source)

        def compare(link: Link) -> int:
            link.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try:
                if self._told_state(link)[0] == GONE or self._state(self.target)[0] != COMING:
                    raise HubError(self.source.address.name, "gave the space up meanwhile", "Call it again.")
                for table in reversed(tables):
                    gone = self.target.read(lambda there, t=table: _rows(there, t, self.space)).keys()  # type: ignore[misc]
                    kept = _rows(link, table, self.space).keys()
                    self._remove(table, sorted(gone - kept))
                return sum(self._bring(link, table) for table in tables)
            finally:
                link.run("ROLLBACK")

        many = self.source.read(compare)
        self._copied += many
        return many

    def _remove(self, table: Table, keys: Sequence[str]) -> None:
        for at in range(0, len(keys), TOGETHER):
            some = list(keys[at : at + TOGETHER])
            ask = f"DELETE FROM autology.{table.name} t USING {_asked(table)} WHERE t.space = $1 AND {_matches(table)}"
            self.target.write(lambda link, ask=ask, some=some: link.run(ask, self.space, _array(some)))  # type: ignore[misc]

    def _bring(self, source: Link, table: Table) -> int:
        """Copy the rows of *table* that differ; return how many these were."""
        theirs = self.target.read(lambda link: _rows(link, table, self.space))
        differ = [key for key, sum_ in _rows(source, table, self.space).items() if theirs.get(key) != sum_]
        names = ", ".join(table.columns)
        values = ", ".join(f"(r.row).{name}" for name in table.columns)
        others = [name for name in table.columns if name != "space" and name not in dict(table.keys)]
        change = f"UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in others)}" if others else "NOTHING"
        key = ", ".join(("space", *dict(table.keys)))
        read = (
            f"SELECT t::text FROM autology.{table.name} t JOIN {_asked(table)} ON {_matches(table)} WHERE t.space = $1"
        )
        write = (
            f"INSERT INTO autology.{table.name}({names}) SELECT {values}"
            f" FROM (SELECT each::autology.{table.name} AS row FROM unnest($1::text[]) each OFFSET 0) r"
            f" ON CONFLICT ({key}) DO {change}"
        )
        for at in range(0, len(differ), TOGETHER):
            rows = [row for (row,) in source.run(read, self.space, _array(differ[at : at + TOGETHER]))]
            self.target.write(lambda link, rows=rows: link.run(write, rows))  # type: ignore[misc]
        return len(differ)

    # ---- handing over ------------------------------------------------------------------------------

    def _hand_over(self) -> tuple[dict[str, int], float]:
        """Hold the space still, bring what is left, compare everything, and have the source say where it is."""
        begun = time.monotonic()
        with self._held_still():
            for _ in range(PASSES):  # what a trigger over there made different is seen by the next
                if not self._level():
                    break
            rows = self._compared()
            leave = (
                "UPDATE autology.placing SET state = 'gone', place = $2, until = NULL"
                " WHERE space = $1 AND state = 'going' AND until > clock_timestamp() RETURNING 1"
            )
            if not self.source.write(lambda link: link.run(leave, self.space, self.place)):
                raise HubError(self.source.address.name, "took writes again before all was compared", "Call it again.")
        return rows, time.monotonic() - begun

    @contextmanager
    def _held_still(self) -> Iterator[None]:
        """Have nobody write into the space; whoever did already is waited for. Given up, it is written into again."""

        def hold(link: Link) -> str:
            link.run(
                "INSERT INTO autology.placing(space, state, until)"
                f" VALUES ($1, 'going', clock_timestamp() + interval '{STILL} seconds')"
                " ON CONFLICT (space) DO UPDATE SET state = 'going', place = '', until = excluded.until",
                self.space,
            )
            return str(link.run("SELECT pg_current_xact_id()::text")[0][0])

        def let_go() -> None:
            free = "DELETE FROM autology.placing WHERE space = $1 AND state = 'going'"
            self.source.write(lambda link: link.run(free, self.space))

        mine = self.source.write(hold)
        try:
            self._wait_for_writers(mine)
            yield
        except BaseException:
            let_go()
            raise

    def _wait_for_writers(self, mine: str) -> None:
        ask = "SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8"
        until = time.monotonic() + WRITERS
        while not self.source.read(lambda link: link.run(ask, mine))[0][0]:
            if time.monotonic() > until:
                step = "Call it again once whoever writes there for so long is done."
                raise HubError(self.source.address.name, f"has a write that lasts for over {WRITERS:g} seconds", step)
            time.sleep(0.05)

    def _compared(self) -> dict[str, int]:
        """Return how many rows each table has. Raises HubError where the two servers differ in any."""
        found: dict[str, int] = {}
        for table in self._tables(self.source):
            ask = (
                f"SELECT count(*), md5(coalesce(string_agg(md5(t::text), '' ORDER BY {table.key} COLLATE \"C\"), ''))"
                f" FROM autology.{table.name} t WHERE t.space = $1"
            )
            here, there = (links.read(lambda link: link.run(ask, self.space)) for links in (self.source, self.target))  # noqa: B023
            if here != there:
                raise HubError(self.target.address.name, f"differs in {table.name}", "Call it again.")
            found[table.name] = int(here[0][0])
        return found

    def _arrive(self) -> None:
        come = "UPDATE autology.placing SET state = 'here' WHERE space = $1 AND state = 'coming'"
        self.target.write(lambda link: link.run(come, self.space))

    def _clear(self) -> None:
        """Take out of the source what is elsewhere by now; that it went, and where, it goes on to say."""
        self._erase(self.source, [table.name for table in self._tables(self.source)])

    def _erase(self, links: Links, names: Sequence[str]) -> None:
        for name in reversed(names):
            links.write(lambda link, name=name: link.run(f"DELETE FROM autology.{name} WHERE space = $1", self.space))  # type: ignore[misc]


def _rows(link: Link, table: Table, space: str) -> dict[str, str]:
    """Return what names each row of the space, with a sum over what it holds."""
    ask = f"SELECT {table.key}, md5(t::text) FROM autology.{table.name} t WHERE t.space = $1"
    return {str(key): str(total) for key, total in link.run(ask, space)}


def _asked(table: Table) -> str:
    """Return the rows that are asked for, as a table of their keys; $2 is an array of such in JSON."""
    parts = ", ".join(f"(k.key->>{at})::{type} AS {name}" for at, (name, type) in enumerate(table.keys))
    return f"(SELECT {parts or 'true AS only'} FROM jsonb_array_elements($2::jsonb) k(key)) k"


def _matches(table: Table) -> str:
    return " AND ".join(f"t.{name} = k.{name}" for name, _ in table.keys) or "true"


def _array(keys: Sequence[str]) -> str:
    return f"[{','.join(keys)}]"


_TABLES = """
SELECT c.relname,
  (SELECT array_agg(quote_ident(a.attname) ORDER BY a.attnum) FROM pg_attribute a
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''),
  coalesce((SELECT jsonb_agg(jsonb_build_array(quote_ident(a.attname), format_type(a.atttypid, a.atttypmod))
    ORDER BY a.attnum) FROM pg_attribute a
    WHERE a.attrelid = c.oid AND a.attnum = ANY(i.indkey) AND a.attname <> 'space'), '[]'),
  coalesce((SELECT array_agg(p.relname) FROM pg_constraint f JOIN pg_class p ON p.oid = f.confrelid
    WHERE f.conrelid = c.oid AND f.contype = 'f'), '{}'),
  EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal)
FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
WHERE c.relnamespace = 'autology'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND c.relname <> 'placing'
  AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'space' AND NOT a.attisdropped)
"""
