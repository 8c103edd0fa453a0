"""The transcripts of Claude Code and of other agents, as one."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from autology.core.content.files import Stamp
from autology.core.conversations.transcripts import Mark, Reading
from autology.model.agents import agent_of, is_foreign, is_mirrored, name_of, split_machine
from autology.transcripts.agent import Agent
from autology.transcripts.archived_turns import record
from autology.transcripts.claude_code import ClaudeCode

_VERSION = re.compile(r"~\d+\Z")


class EveryAgent:
    """The :class:`~autology.core.conversations.transcripts.Transcripts` of all agents but those in *excludes*.

    The agents are made when they are first needed: a hook that reads its own session does without.
    """

    def __init__(self, own: ClaudeCode, agents: Callable[[], Sequence[Agent]], excludes: Collection[str]) -> None:
        self._own = own
        self._load = agents
        self._excludes = frozenset(excludes)

    @cached_property
    def _agents(self) -> Mapping[str, Agent]:
        return {agent.label: agent for agent in self._load()}

    def scan(self) -> Mapping[str, Stamp]:
        """Return every transcript with its stamp, oldest first."""
        stamps = {**self._own.scan(), **dict(self._foreign())}
        return dict(sorted(stamps.items(), key=lambda item: (item[1].mtime_ns, item[0])))

    def _foreign(self) -> Iterator[tuple[str, Stamp]]:
        for label, agent in self._agents.items():
            if agent.key not in self._excludes:
                yield from ((name_of(label, inner), stamp) for inner, stamp in agent.scan().items())

    def unreadable(self) -> Sequence[str]:
        """Return a sentence about each kind of sessions that exist and cannot be read."""
        agents = (agent for agent in self._agents.values() if agent.key not in self._excludes)
        return [sentence for agent in agents for sentence in agent.unreadable()]

    def of_session(self, session: str) -> Sequence[str]:
        """Return the transcripts of a session of Claude Code: hooks ask, which know no other and must not search."""
        return self._own.of_session(session)

    def of_folder(self, folder: str) -> Sequence[str]:
        """Return Claude Code's transcripts of sessions in a folder: other agents do not file theirs by folder."""
        return self._own.of_folder(folder)

    def earlier(self, name: str, number: int) -> str:
        """Return the name under which the *number*-th replaced version of a transcript is kept."""
        machine, inner = split_machine(name)
        return f"{name}~{number}" if is_foreign(name) else machine + self._own.earlier(inner, number)

    def current(self, name: str) -> str:
        """Return the name of the current version of a transcript."""
        machine, inner = split_machine(name)
        return _VERSION.sub("", name) if is_foreign(name) else machine + self._own.current(inner)

    def session(self, name: str) -> str:
        """Return the session of a transcript."""
        within = split_machine(name)[1]
        if not is_foreign(name):
            return self._own.session(within)
        inner = self.current(within).partition("/")[2]
        agent = self._agents.get(agent_of(name))
        return agent.session(inner) if agent else inner

    def resume(self, name: str) -> Sequence[str]:
        """Return the words of the command that resumes a session in its agent; none if it cannot be resumed there."""
        if not is_foreign(name):
            return self._own.resume(name)
        agent = self._agents.get(agent_of(name))
        return agent.resume(name.partition("/")[2]) if agent else ()

    def is_agent(self, name: str) -> bool:
        """Whether a transcript is a sub-agent's: other agents mark the turns, not the files."""
        return not is_foreign(name) and self._own.is_agent(split_machine(name)[1])

    def remembered(self) -> Mapping[str, str]:
        """Return the sessions in Claude Code's history, and their folders."""
        return self._own.remembered()

    def read(self, name: str, mark: Mark | None = None) -> Reading:
        """Read from *mark* on, or everything. Raises FileNotFoundError, StorageError."""
        if is_mirrored(name):
            raise FileNotFoundError(name)  # only the archive has it
        if not is_foreign(name):
            return self._own.read(name, mark)
        agent = self._agents.get(agent_of(name))
        if agent is None or agent.key in self._excludes:
            raise FileNotFoundError(name)
        return agent.read(name.partition("/")[2], mark)

    def archivable(self, name: str) -> tuple[Stamp, Iterator[dict[str, Any]]]:
        """Return a transcript's stamp and the records that are archived. Raises FileNotFoundError, StorageError."""
        if not is_foreign(name):
            return self._own.archivable(name)
        reading = self.read(name)
        return reading.mark(0).stamp, (record(turn) for turn in reading)
