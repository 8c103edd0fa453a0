"""The process's standard input and output, reserved for the protocol."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

BUFFER = 65_536
"""Bytes read or written at once, the capacity of a pipe."""


def claim() -> tuple[BinaryIO, BinaryIO]:
    """Take over the process's standard input and output, so that nothing else can read or write them.

    Output of libraries goes to standard error, and child processes read an empty input.
    """
    null = os.open(os.devnull, os.O_RDWR)
    incoming = os.fdopen(_redirected(0, null), "rb", BUFFER, closefd=False)
    outgoing = os.fdopen(_redirected(1, null if sys.stderr is None else 2), "wb", BUFFER, closefd=False)
    if null > 1:  # else one of the two was closed, and a file opened later would take its number
        os.close(null)
    return incoming, outgoing


def _redirected(fd: int, target: int) -> int:
    """Return a duplicate of *fd* and redirect *fd* to *target*."""
    private = os.dup(fd)
    if sys.platform != "win32":
        os.set_blocking(private, True)  # A launcher may share its own: reading it would end, and answers would be lost.
    os.dup2(target, fd)
    if sys.platform == "win32":
        _set_standard_handle(fd)
    return private


def _set_standard_handle(fd: int) -> None:
    """Point the Windows standard handle of *fd* at its new file: child processes inherit the handle, not the fd."""
    import ctypes
    import msvcrt

    handle = msvcrt.get_osfhandle(fd)  # type: ignore[attr-defined, unused-ignore]
    number = -10 - fd  # STD_INPUT_HANDLE is -10, STD_OUTPUT_HANDLE -11
    ctypes.windll.kernel32.SetStdHandle(number, ctypes.c_void_p(handle))  # type: ignore[attr-defined, unused-ignore]
