"""Statements and their answers as one exchange with a server: all is sent at once, and waited for once.

The driver waits three times for each statement, and a question is several of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pg8000 import core
from pg8000.converters import make_params
from pg8000.exceptions import InterfaceError

_UNNAMED = b"\0"
_ALL = core._create_message(core.DESCRIBE, core.PORTAL + _UNNAMED) + core.EXECUTE_MSG


def exchange(talk: Any, asked: Sequence[tuple[str, Sequence[object]]]) -> list[list[list[Any]]]:
    """Return the rows of each statement of *asked* with its values for ``$1`` and so on; what one of them does counts
    if all of them succeed.

    Raises:
        DatabaseError: one was refused, and none after it was done.
        InterfaceError: the connection is no more.
    """
    if talk._sock is None:
        raise InterfaceError("connection is closed")
    contexts = [core.Context(sql) for sql, _ in asked]
    core._write(talk._sock, b"".join([*(_messages(talk, sql, values) for sql, values in asked), core.SYNC_MSG]))
    core._flush(talk._sock)
    at = 0
    code = None
    while code != core.READY_FOR_QUERY:
        code, size = core.ci_unpack(core._read(talk._sock, 5))
        talk.message_types[code](core._read(talk._sock, size - 4), contexts[min(at, len(contexts) - 1)])
        at += code in (core.COMMAND_COMPLETE, core.EMPTY_QUERY_RESPONSE)
    for context in contexts:
        if context.error is not None:
            raise context.error
    return [context.rows or [] for context in contexts]


def _messages(talk: Any, sql: str, values: Sequence[object]) -> bytes:
    parse = _UNNAMED + sql.encode("utf-8") + b"\0" + core.H_pack(0)
    bind = [_UNNAMED + _UNNAMED + core.H_pack(0) + core.H_pack(len(values))]
    for value in make_params(talk.py_types, values):
        told = None if value is None else value.encode("utf-8")
        bind.append(core.i_pack(-1) if told is None else core.i_pack(len(told)) + told)
    bind.append(core.H_pack(0))
    return b"".join([core._create_message(core.PARSE, parse), core._create_message(core.BIND, b"".join(bind)), _ALL])
