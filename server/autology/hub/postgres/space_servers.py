"""Reaching a hub: which server hosts a space, and the connections to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Self
from uuid import UUID

from autology.core.index.retrieval import Encoder
from autology.hub.model import Space
from autology.hub.postgres import schema
from autology.hub.postgres.address import Address
from autology.hub.postgres.connection_pool import POSITIONS, ConnectionPool
from autology.hub.postgres.replica_positions import ReplicaPositions
from autology.model.errors import ValidationError

Servers = Sequence[tuple[str, Address]]
"""Patterns of space names, each with the server that hosts those spaces; the first match wins."""


@dataclass(frozen=True)
class Access:
    """The settings for accessing a hub and its open pools, shared by its views of all spaces.

    *branch* returns the branch that the caller is on, None for all.
    """

    encoder: Callable[[], Encoder | None] = lambda: None
    branch: Callable[[], str | None] = lambda: None
    deadline: float | None = None
    positions: ReplicaPositions = POSITIONS
    use_replicas: bool = True
    pools: dict[tuple[Address, Space], ConnectionPool] = field(default_factory=dict)

    def pool(
        self, address: Address, options: str = "", find_server: Callable[[str], Address | None] = lambda _: None
    ) -> ConnectionPool:
        """Return connections to the server at *address* with the given session *options*."""
        return ConnectionPool(address, options, self.deadline, find_server, self.positions, self.use_replicas)


class SpaceAccess:
    """A space, and the connections to the server that hosts it."""

    def __init__(self, servers: Servers, space: Space, access: Access | None = None) -> None:
        self.space = space
        self._servers = servers
        self._access = access or Access()

    @property
    def place(self) -> str:
        """The name of the server in messages."""
        pool = self._access.pools.get((self._address, self.space))
        return pool.address.name if pool is not None else self._address.name

    @cached_property
    def _address(self) -> Address:
        for pattern, address in self._servers:
            if fnmatchcase(str(self.space), pattern):
                return address
        raise ValidationError(
            "hub_dsn_file", f"no server is configured for the space {self.space}", "Add a line for it, or for '*'."
        )

    @cached_property
    def _space_id(self) -> UUID:
        return schema.space_id(self.space.org, self.space.project)

    @cached_property
    def pool(self) -> ConnectionPool:
        """The connections to its server, in its space."""
        pools, key = self._access.pools, (self._address, self.space)
        if key not in pools:
            # In startup options a space separates settings, and a backslash escapes: branch names may contain both.
            branches = (self._access.branch() or "*").replace("\\", "\\\\").replace(" ", "\\ ")
            options = f"-c autology.space={self._space_id} -c autology.branches={branches}"
            pools[key] = self._access.pool(self._address, options, self._find_server)
        return pools[key]

    def _find_server(self, place: str) -> Address | None:
        """Return the configured address with a host called *place*."""
        return next((address for _, address in self._servers if address.has_host(place)), None)

    def in_space(self, space: Space) -> Self:
        """Return the hub seen from another space, on whichever server hosts that."""
        return type(self)(self._servers, space, self._access)

    def servers(self) -> list[Self]:
        """Return the hub seen from this space once for each server."""
        addresses = dict.fromkeys(address for _, address in self._servers)
        return [type(self)([("*", address)], self.space, self._access) for address in addresses]

    def release(self) -> None:
        """Close the idle connections of this space; the next call opens a new one."""
        self.pool.close()

    def close(self) -> None:
        """Close the idle connections of this space and of all others that were reached from it."""
        for pool in self._access.pools.values():
            pool.close()

    @contextmanager
    def _outside(self) -> Iterator[ConnectionPool]:
        """Connections to the server outside of any space."""
        pool = self._access.pool(self._address)
        try:
            yield pool
        finally:
            pool.close()
