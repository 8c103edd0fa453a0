"""The versions of memories: a graph in which each names those that it replaces, so that no clock decides."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b


@dataclass(frozen=True)
class Version:
    """A text of a *memory*, None for its deletion; *parents* are the versions that its writer knew and replaced.

    *machine* wrote it first; it is not part of the identity: the same change on two machines is one version.
    """

    memory: str
    parents: tuple[str, ...]
    text: str | None
    machine: str = field(default="", compare=False)

    @cached_property
    def name(self) -> str:
        """Its name: a hash of everything that it says."""
        content = json.dumps([self.memory, list(self.parents), self.text], ensure_ascii=True)
        return blake2b(content.encode("ascii"), digest_size=16).hexdigest()


def version(memory: str, parents: Sequence[str], text: str | None, machine: str) -> Version:
    """Return the version of *memory* that replaces *parents*, in whatever order these are given."""
    return Version(memory, tuple(sorted(set(parents))), text, machine)


class History:
    """All known versions, in an order in which each follows its parents."""

    def __init__(self) -> None:
        self._versions: dict[str, Version] = {}
        self._of: dict[str, list[str]] = {}
        self._replaced: set[str] = set()

    def add(self, one: Version) -> bool:
        """Add a version; return whether it is new."""
        if one.name in self._versions:
            return False
        self._versions[one.name] = one
        self._of.setdefault(one.memory, []).append(one.name)
        self._replaced.update(one.parents)
        return True

    def __iter__(self) -> Iterator[Version]:
        """Yield every version."""
        return iter(self._versions.values())

    def __len__(self) -> int:
        return len(self._versions)

    def get(self, name: str | None) -> Version | None:
        """Return the version of that name, or None."""
        return self._versions.get(name) if name else None

    def memories(self) -> list[str]:
        """Return the ids of all memories."""
        return list(self._of)

    def of(self, memory: str) -> list[Version]:
        """Return the versions of a memory, oldest first."""
        return [self._versions[name] for name in self._of.get(memory, ())]

    def heads(self, memory: str) -> list[Version]:
        """Return the versions that no other replaces, in an order that is the same on every machine."""
        names = (name for name in self._of.get(memory, ()) if name not in self._replaced)
        return [self._versions[name] for name in sorted(names)]

    def ancestors(self, one: Version) -> set[str]:
        """Return the names of the version and of all that it replaces, directly or not."""
        return self.ancestors_of(one.name)

    def ancestors_of(self, name: str) -> set[str]:
        """Return the name of that version and of all that it replaces, directly or not."""
        visited: set[str] = set()
        waiting = [name]
        while waiting:
            name = waiting.pop()
            if name not in visited and name in self._versions:
                visited.add(name)
                waiting += self._versions[name].parents
        return visited

    def base(self, one: Version, other: Version) -> Version | None:
        """Return the latest version that both derive from; the same on every machine if there are several."""
        common = self.ancestors(one) & self.ancestors(other)
        latest = [name for name in common if not self._has_later(name, common)]
        return self._versions[min(latest)] if latest else None

    def _has_later(self, name: str, among: set[str]) -> bool:
        return any(name in self._versions[other].parents for other in among)
