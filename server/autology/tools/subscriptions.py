"""Resource subscriptions: polls subscribed resources and notifies the client of changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import anyio
import mcp_types as types
from anyio.abc import TaskGroup
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourceUpdated

from autology import log

POLL_INTERVAL = 1.0
"""Seconds between two polls: the delay until a client hears of a saved file; a poll costs as much as a search."""
LIMIT = 200
"""Maximum number of subscribed resources; each is read in every poll."""

States = Mapping[str, str | None]
"""A hash of each resource by its address; None if it does not exist."""


class Subscriptions:
    """The subscriptions of one connection, in both forms of the protocol: single requests, or a separate stream.

    *look* returns the states of addresses.
    """

    def __init__(self, look: Callable[[Sequence[str]], Awaitable[States]], tasks: TaskGroup) -> None:
        self._look = look
        self._tasks = tasks
        self._sessions: dict[str, ServerSession] = {}
        self._streamed: Counter[str] = Counter()
        self._states: dict[str, str | None] = {}
        self._bus = InMemorySubscriptionBus()
        self._streams = ListenHandler(self._bus)
        self._watching = False

    async def follow(self, uri: str, session: ServerSession) -> None:
        """Notify *session* of changes of *uri* from now on. Raises MCPError if there are too many subscriptions."""
        await self._note([uri])
        self._sessions[uri] = session
        self._watch_on()

    def leave(self, uri: str) -> None:
        """Stop notifying sessions of *uri*; streams continue."""
        self._sessions.pop(uri, None)

    async def stream(
        self, context: ServerRequestContext[Any], params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Notify the client of changes of the resources in *params* until it ends the stream. Raises MCPError."""
        uris = list(params.notifications.resource_subscriptions or [])
        await self._note(uris)
        self._streamed.update(uris)
        self._watch_on()
        # The lists of tools and resources never change while the server runs, so no notifications are promised.
        granted = types.SubscriptionFilter(resource_subscriptions=uris or None)
        try:
            return await self._streams(context, params.model_copy(update={"notifications": granted}))
        finally:
            self._streamed.subtract(uris)

    @property
    def _uris(self) -> list[str]:
        return sorted({*self._sessions, *(uri for uri, count in self._streamed.items() if count > 0)})

    async def _note(self, uris: Sequence[str]) -> None:
        """Record the states of *uris* that are not subscribed yet: later changes are notified."""
        now = self._uris
        new = [uri for uri in uris if uri not in now]
        if len(now) + len(new) > LIMIT:
            raise MCPError(types.INVALID_PARAMS, f"over {LIMIT} subscriptions; unsubscribe from some first")
        if new:
            self._states.update(await self._look(new))

    def _watch_on(self) -> None:
        if not self._watching:
            self._watching = True
            self._tasks.start_soon(self._watch)

    async def _watch(self) -> None:
        try:
            while uris := self._uris:
                await anyio.sleep(POLL_INTERVAL)
                for uri, state in (await self._look(uris)).items():
                    if self._states.get(uri) != state:
                        self._states[uri] = state
                        await self._tell(uri)
        except Exception as error:  # noqa: BLE001 - the server must survive any error; it is logged
            log.write("subscribed resources", error)
        finally:
            self._watching = False

    async def _tell(self, uri: str) -> None:
        await self._bus.publish(ResourceUpdated(uri=uri))
        if uri in self._sessions:
            await self._sessions[uri].send_resource_updated(uri)
