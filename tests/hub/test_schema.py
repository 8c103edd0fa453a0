"""The schema as it is made: rows of different spaces have nothing to do with each other, and can lie apart."""

from __future__ import annotations

from autology.hub.postgres.address import parse_dsn
from autology.hub.postgres.connection_pool import ConnectionPool
from tests.hub.servers import Server

APART = {"space", "member", "placing", "migration"}
"""Small tables that every server has whole."""


def rows_of(server: Server, ask: str) -> list[tuple[str, str]]:
    owner = ConnectionPool(parse_dsn(server.dsn()))
    try:
        return [(str(table), str(result)) for table, result in owner.query(ask)]
    finally:
        owner.close()


def test_every_key_begins_with_the_space(server: Server) -> None:
    keys = rows_of(
        server,
        "SELECT c.relname, a.attname FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_attribute a"
        " ON a.attrelid = c.oid AND a.attnum = i.indkey[0]"
        " WHERE c.relnamespace = 'autology'::regnamespace AND i.indisunique",
    )
    assert {table for table, _ in keys} > {"source", "text", "kept", "history", "op", "audit", "said"}
    assert {column for table, column in keys if table not in APART} == {"space"}


def test_no_reference_leads_from_one_space_to_another(server: Server) -> None:
    ends = rows_of(
        server,
        "SELECT c.relname, a.attname FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_attribute a"
        " ON a.attrelid = c.oid AND a.attnum = f.conkey[1] WHERE f.connamespace = 'autology'::regnamespace"
        " AND f.contype = 'f'",
    )
    assert len(ends) > 5
    assert {column for _, column in ends} == {"space"}


def test_every_table_of_spaces_is_behind_row_level_security_or_closed(server: Server) -> None:
    open_to_all = rows_of(
        server,
        "SELECT c.relname, 'open' FROM pg_class c WHERE c.relnamespace = 'autology'::regnamespace"
        " AND c.relkind IN ('r', 'p') AND NOT c.relrowsecurity AND has_table_privilege('autology_member', c.oid,"
        " 'SELECT, INSERT, UPDATE, DELETE')",
    )
    assert open_to_all == []


def test_every_security_definer_function_sets_its_search_path(server: Server) -> None:
    loose = rows_of(
        server,
        "SELECT p.proname, 'loose' FROM pg_proc p WHERE p.pronamespace = 'autology'::regnamespace AND p.prosecdef"
        " AND NOT coalesce(p.proconfig::text LIKE '%search_path=pg_catalog, pg_temp%', false)",
    )
    assert loose == []
