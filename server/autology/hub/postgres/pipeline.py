"""Pipelined statements: all are sent at once, with one round trip for all their results.

The driver makes three round trips per statement, and a search needs several statements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pg8000 import core
from pg8000.converters import make_params
from pg8000.exceptions import InterfaceError

_UNNAMED = b"\0"
_DESCRIBE_AND_EXECUTE = core._create_message(core.DESCRIBE, core.PORTAL + _UNNAMED) + core.EXECUTE_MSG


def run_pipeline(driver: Any, statements: Sequence[tuple[str, Sequence[object]]]) -> list[list[list[Any]]]:
    """Return the rows of each statement, with its values for ``$1`` and so on. All take effect, or none.

    Raises:
        DatabaseError: a statement failed; none after it was executed.
        InterfaceError: the connection is closed.
    """
    if driver._sock is None:
        raise InterfaceError("connection is closed")
    contexts = [core.Context(sql) for sql, _ in statements]
    requests = [_messages(driver, sql, values) for sql, values in statements]
    core._write(driver._sock, b"".join([*requests, core.SYNC_MSG]))
    core._flush(driver._sock)
    at = 0
    code = None
    while code != core.READY_FOR_QUERY:
        code, size = core.ci_unpack(core._read(driver._sock, 5))
        driver.message_types[code](core._read(driver._sock, size - 4), contexts[min(at, len(contexts) - 1)])
        at += code in (core.COMMAND_COMPLETE, core.EMPTY_QUERY_RESPONSE)
    for context in contexts:
        if context.error is not None:
            raise context.error
    return [context.rows or [] for context in contexts]


def _messages(driver: Any, sql: str, values: Sequence[object]) -> bytes:
    parse = _UNNAMED + sql.encode("utf-8") + b"\0" + core.H_pack(0)
    bind = [_UNNAMED + _UNNAMED + core.H_pack(0) + core.H_pack(len(values))]
    for value in make_params(driver.py_types, values):
        data = None if value is None else value.encode("utf-8")
        bind.append(core.i_pack(-1) if data is None else core.i_pack(len(data)) + data)
    bind.append(core.H_pack(0))
    messages = [core._create_message(core.PARSE, parse), core._create_message(core.BIND, b"".join(bind))]
    return b"".join([*messages, _DESCRIBE_AND_EXECUTE])
