"""The team's hub, as one project uses it."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from autology import detached, log, places
from autology.wire import user
from autology.wire.part import part

if TYPE_CHECKING:
    from collections.abc import Callable

    from autology.core.documents.library import Library
    from autology.core.memory.memories import Memories
    from autology.core.team import TeamSearch
    from autology.hub.model import Space
    from autology.hub.postgres.hub import PostgresHub
    from autology.hub.sync.background_retry import BackgroundSender
    from autology.hub.sync.share_log import ShareLog
    from autology.model.memory import Scope
    from autology.wire.location import Location


class Team:
    """The team of the project at *location*; *contents* opens what the project may share."""

    def __init__(self, location: Location, contents: Callable[[], tuple[Library, Memories]]) -> None:
        self._location = location
        self._contents = contents

    @property
    def has_hub(self) -> bool:
        """Whether the settings configure a hub; cheap."""
        options = self._location.settings
        return bool(options.hub_dsn or options.hub_dsn_file)

    def hub(self, org: str = "", project: str | None = None, use_replicas: bool = False) -> PostgresHub | None:
        """Return the hub, seen from this project or from another one; None if none is configured.

        With *use_replicas* their answers may be older than the last write: not for reads that decide what is written.

        Raises:
            ValidationError: the settings are invalid.
        """
        from autology.hub import dsn_file
        from autology.hub.model import NO_ORG, Space
        from autology.hub.postgres.address import parse_dsn
        from autology.hub.postgres.hub import PostgresHub
        from autology.hub.postgres.replica_positions import FileReplicaPositions
        from autology.hub.postgres.space_servers import Access

        options = self._location.settings
        dsns = dsn_file.dsns(options.hub_dsn, options.hub_dsn_file)
        if not dsns:
            return None
        here = self._location.default_scope
        space = Space(org or here.org or NO_ORG, (here.project or "") if project is None else project)
        servers = [(pattern, parse_dsn(dsn, dict(os.environ))) for pattern, dsn in dsns]
        positions = FileReplicaPositions(os.path.join(places.data_dir(), "hub"))
        access = Access(user.encoder, deadline=options.hub_deadline, positions=positions, use_replicas=use_replicas)
        return PostgresHub(servers, space, access)

    @part
    def search(self) -> TeamSearch | None:
        """The search over all servers of the team; None if none is configured."""
        if not self.has_hub:
            return None
        from autology.hub.model import Space
        from autology.hub.search.server import HubServer
        from autology.hub.search.team import HubTeamSearch

        def here() -> Space:
            hub = self.hub()
            return hub.space if hub else Space("")

        @cache
        def servers() -> list[HubServer]:
            hub = self.hub(use_replicas=True)
            return [HubServer(server, server.spaces) for server in hub.servers()] if hub else []

        return HubTeamSearch(servers, self._location.settings.hub_deadline, here)

    def may_have(self, scope: Scope) -> bool:
        """Whether memories of *scope* may be on the hub: those of an organisation or of another project.

        Raises:
            ValidationError: the scope in the environment is invalid.
        """
        if not self.has_hub or (scope.org is None and scope.project is None):
            return False
        return scope.org is not None or scope.project != self._location.default_scope.project

    def share_log(self, space: Space) -> ShareLog:
        """Return the log of what this project shared with *space*."""
        from autology.hub.sync.share_log import ShareLog

        return ShareLog(os.path.join(places.data_dir(), "hub"), self._location.root, space)

    def send(self, patience: float = 0.05) -> bool:
        """Send the project's changes to the hub; return whether some remain.

        Raises:
            AutologyError: the hub refused, or a local file cannot be read.
        """
        from autology.files.memory_folder import has_memories
        from autology.hub.sync.send import send_changes

        hub = self.hub()
        if hub is None:
            return False
        root = self._location.root
        outbox, share_log = user.outbox(), self.share_log(hub.space)
        stored = lambda: has_memories(root, places.data_dir())  # noqa: E731
        try:
            return send_changes(
                hub, outbox, share_log, *self._contents(), root, lambda: self._location.branch, stored, patience
            )
        finally:
            hub.close()

    @part
    def sender(self) -> BackgroundSender:
        """A thread that sends changes after each write."""
        from autology.hub.sync.background_retry import BackgroundSender

        return BackgroundSender(self.send, lambda error: log.write("hub", error))

    def send_soon(self) -> None:
        """Send changes in the background, if a hub is configured."""
        try:
            if self.has_hub:
                self.sender.wake()
        except Exception as error:  # noqa: BLE001 - the changes are safe; the error is logged
            log.write("hub", error)

    def send_rest(self) -> None:
        """Let a detached process send what this one could not."""
        if "sender" in vars(self) and self.sender.pending:
            self.send_detached()

    def send_detached(self) -> None:
        """Start a detached process that sends pending changes, if a hub is configured."""
        from contextlib import suppress

        if self.has_hub:
            with suppress(OSError):  # it is sent with the next write
                detached.start(["hub", "push", "--changed", "--soon"], self._location.root)


def hub_address(path: str) -> tuple[str, str]:
    """Return the name and the DSN of the server in the file at *path*.

    Raises:
        ValidationError: the file cannot be read, others can read it, or it contains no valid address.
    """
    from autology.hub import dsn_file
    from autology.hub.postgres.address import parse_dsn

    dsn = dsn_file.read_file(os.path.expanduser(path))[0][1]
    return parse_dsn(dsn, dict(os.environ)).place, dsn
