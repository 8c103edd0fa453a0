"""The rows of one space, table by table: compared by digests, copied and deleted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autology.hub.postgres.connection import Connection
from autology.hub.postgres.connection_pool import ConnectionPool

BATCH = 200
"""Rows per statement; some rows have several kilobytes."""


@dataclass(frozen=True, slots=True)
class SpaceTable:
    """A table with rows of spaces: its columns, and its key with types, without the space."""

    name: str
    columns: tuple[str, ...]
    keys: tuple[tuple[str, str], ...]

    @property
    def key(self) -> str:
        """An expression for the key of a row within its space, as JSON."""
        return f"jsonb_build_array({', '.join(f't.{name}' for name, _ in self.keys)})::text"


def space_tables(pool: ConnectionPool) -> list[SpaceTable]:
    """Return the tables with rows of spaces, referenced tables before those that refer to them."""
    rows = pool.query(_TABLES)
    tables = {
        str(name): SpaceTable(str(name), tuple(columns), tuple((str(key), str(type)) for key, type in keys))
        for name, columns, keys, _, _ in rows
    }
    references = {str(row[0]): {str(name) for name in row[3]} & tables.keys() - {str(row[0])} for row in rows}
    without_triggers = {str(row[0]) for row in rows if not row[4]}
    ordered: list[SpaceTable] = []
    while references:
        unreferenced = [name for name, others in references.items() if not others & references.keys()]
        # Triggers fill other tables, which are made equal afterwards.
        first = min(unreferenced, key=lambda name: (name in without_triggers, name))
        ordered.append(tables[first])
        del references[first]
    return ordered


def digests(server: Connection | ConnectionPool, table: SpaceTable, space: str) -> dict[str, str]:
    """Return a digest of each row by its key."""
    sql = f"SELECT {table.key}, md5(t::text) FROM autology.{table.name} t WHERE t.space = $1"
    rows = server.run(sql, space) if isinstance(server, Connection) else server.query(sql, space)
    return {str(key): str(digest) for key, digest in rows}


def remove(pool: ConnectionPool, table: SpaceTable, space: str, keys: Sequence[str]) -> None:
    """Delete the rows with these keys."""
    sql = f"DELETE FROM autology.{table.name} t USING {_key_table(table)} WHERE t.space = $1 AND {_has_key(table)}"
    for at in range(0, len(keys), BATCH):
        array = _json_array(keys[at : at + BATCH])
        pool.execute(sql, space, array)


def erase(pool: ConnectionPool, space: str) -> None:
    """Delete all rows of the space."""
    for table in reversed(space_tables(pool)):
        sql = f"DELETE FROM autology.{table.name} WHERE space = $1"
        pool.execute(sql, space)


def copy_differences(source: Connection, target: ConnectionPool, table: SpaceTable, space: str) -> int:
    """Copy the rows of *table* that differ; return how many."""
    target_digests = digests(target, table, space)
    differing = [key for key, digest in digests(source, table, space).items() if target_digests.get(key) != digest]
    columns = ", ".join(table.columns)
    values = ", ".join(f"(r.row).{name}" for name in table.columns)
    others = [name for name in table.columns if name != "space" and name not in dict(table.keys)]
    change = f"UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in others)}" if others else "NOTHING"
    key = ", ".join(("space", *dict(table.keys)))
    read = (
        f"SELECT t::text FROM autology.{table.name} t JOIN {_key_table(table)} ON {_has_key(table)} WHERE t.space = $1"
    )
    write = (
        f"INSERT INTO autology.{table.name}({columns}) SELECT {values}"
        f" FROM (SELECT each::autology.{table.name} AS row FROM unnest($1::text[]) each OFFSET 0) r"
        f" ON CONFLICT ({key}) DO {change}"
    )
    for at in range(0, len(differing), BATCH):
        rows = [row for (row,) in source.run(read, space, _json_array(differing[at : at + BATCH]))]
        target.execute(write, rows)
    return len(differing)


def _key_table(table: SpaceTable) -> str:
    """Return a subquery for the keys in $2, a JSON array of them."""
    columns = ", ".join(f"(k.key->>{at})::{type} AS {name}" for at, (name, type) in enumerate(table.keys))
    return f"(SELECT {columns or 'true AS only'} FROM jsonb_array_elements($2::jsonb) k(key)) k"


def _has_key(table: SpaceTable) -> str:
    return " AND ".join(f"t.{name} = k.{name}" for name, _ in table.keys) or "true"


def _json_array(keys: Sequence[str]) -> str:
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
