"""Whose connection it is: of other users of the machine none is served, though they may read our address.

Who starts a browser hands it the address, which every user of the machine may see among the running programs' words
until the page is open.
"""

from __future__ import annotations

import os

TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
"""Where Linux lists connections: each end as an address and a port in hexadecimal, and the user who made it."""
_LOCAL, _REMOTE, _USER = 1, 2, 7


def is_ours(client: tuple[str, int], port: int, tables: tuple[str, ...] = TABLES) -> bool:
    """Whether *client*, who came to our *port*, is this user or one whom nothing is closed to; unknown counts as so.

    What passes connections on into a container or a virtual machine does so as root.
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
    except (OSError, ValueError):  # no Linux, or nothing that may be read
        pass
    return None
