"""Connection ownership: other users of the machine are refused, even if they know the address.

The address is passed to the browser on its command line, which every user of the machine can see until the page is
open.
"""

from __future__ import annotations

import os

TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
"""Where Linux lists connections: address and port of both ends in hexadecimal, and the owner's user id."""
_LOCAL, _REMOTE, _USER = 1, 2, 7


def is_ours(client: tuple[str, int], port: int, tables: tuple[str, ...] = TABLES) -> bool:
    """Whether *client*, connected to our *port*, belongs to this user or to root; true if unknown.

    Proxies that forward connections into a container or a virtual machine run as root.
    """
    if not hasattr(os, "getuid"):
        return True
    for table in tables:
        user = _user(table, f"{client[1]:04X}", f"{port:04X}")
        if user is not None:
            return user in (0, os.getuid())
    return True


def _user(table: str, local: str, remote: str) -> int | None:
    try:
        with open(table, encoding="ascii") as file:
            for line in file:
                words = line.split()
                if len(words) <= _USER or not words[_USER].isdigit():
                    continue
                if words[_LOCAL].rpartition(":")[2] == local and words[_REMOTE].rpartition(":")[2] == remote:
                    return int(words[_USER])
    except (OSError, ValueError):  # not Linux, or not readable
        pass
    return None
