"""A connection to a server: runs statements with values and returns their rows."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pg8000.native

from autology.hub.postgres.address import Address
from autology.hub.postgres.pipeline import run_pipeline


class Connection:
    """An open connection. *last_used* is a time.monotonic(); *replayed* the last known log position of a replica."""

    def __init__(self, driver: pg8000.native.Connection) -> None:
        self._driver = driver
        self.last_used = time.monotonic()
        self.replayed = 0.0

    def run(self, sql: str, *values: object) -> list[list[Any]]:
        """Return the rows of *sql*, with *values* for ``$1`` and so on."""
        if not values:
            return self._driver.execute_simple(sql).rows or []
        return self.pipeline((sql, values))[0]

    def pipeline(self, *statements: tuple[str, Sequence[object]]) -> list[list[list[Any]]]:
        """Return the rows of each statement with its values, in one round trip."""
        return run_pipeline(self._driver, [(sql, [_storable(value) for value in values]) for sql, values in statements])

    def copy(self, sql: str, rows: Iterator[str]) -> None:
        """Run *sql*, a COPY FROM STDIN, with *rows* as its lines."""
        self._driver.execute_unnamed(sql, stream=rows)

    def close(self) -> None:
        """Close the connection, in any state."""
        file, driver_socket = self._driver._sock, self._driver._usock
        with contextlib.suppress(Exception):
            self._driver.close()
        for stream in (file, driver_socket):
            with contextlib.suppress(Exception):
                stream.close()  # the driver leaves it open if buffered data can no longer be sent

    def abort(self) -> None:
        """Shut the socket down from another thread, so that a waiting call fails at once."""
        with contextlib.suppress(OSError, AttributeError):
            self._driver._usock.shutdown(socket.SHUT_RDWR)


def connect(address: Address, host: str, port: int, seconds: float, options: str) -> Connection | None:
    """Connect to one host of *address*; None if it is one of several and read-only, but writes are needed."""
    context = address.ssl_context(host)
    endpoint: dict[str, Any] = {"host": host, "port": port}
    if host.startswith("/"):
        endpoint = {"unix_sock": f"{host}/.s.PGSQL.{port}"}
    driver = pg8000.native.Connection(
        address.user,
        database=address.database,
        password=address.password,
        ssl_context=context if context is not None else False,
        timeout=seconds,
        application_name="autology",
        startup_params={"options": options},
        **endpoint,
    )
    connection = Connection(driver)
    try:
        one_of_several = address.writable and len(address.hosts) > 1
        if one_of_several and connection.run("SHOW transaction_read_only")[0] == ["on"]:
            connection.close()
            return None
        driver._usock.settimeout(None)  # from here on each call has its own deadline
    except BaseException:
        connection.close()
        raise
    return connection


def storable_text(text: str) -> str:
    """Return *text* without what PostgreSQL cannot store: NUL characters and lone surrogates."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = text.encode("utf-8", "replace").decode("utf-8")
    return text


def _storable(value: object) -> object:
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, list | tuple):
        return [_storable(item) for item in value]
    return value
