"""The names of machines and of their files in a mirror: what a name says is checked before anything is read."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from hashlib import blake2b

LARGEST_FILE = 96 * 1024 * 1024
"""Maximum bytes of a file in a mirror: a session's longest line is 64 MB, and hardly compressible at worst."""
_MACHINE = re.compile(r"([a-z0-9][a-z0-9.-]{0,39})-[0-9a-f]{8}\Z")
_LOG = re.compile(r"memories-([0-9]{8})-([0-9a-f]{32})\.jsonl\Z")
_PART = re.compile(r"session-([0-9a-f]{24})-([0-9]{1,6})-([0-9]{1,15})-([0-9]{1,15})-([0-9a-f]{32})\.gz\Z")
_UNUSABLE = re.compile(r"""[\x00-\x1f\x7f\\:*?"<>|]""")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True, order=True)
class LogFile:
    """A file of memories: its *number* in its machine's log, and the digest of its bytes."""

    number: int
    digest: str

    @property
    def name(self) -> str:
        """Its file name."""
        return f"memories-{self.number:08d}-{self.digest}.jsonl"

    def holds(self, data: bytes) -> bool:
        """Whether *data* is what was written: a torn file is not."""
        return digest(data) == self.digest


@dataclass(frozen=True, slots=True, order=True)
class PartFile:
    """A part of a session: the bytes from *start* to *end*, and the digest of all bytes of the session up to *end*.

    *session* is a hash of the transcript's name. A session whose beginning changed has a higher *generation*.
    """

    session: str
    generation: int
    start: int
    end: int
    digest: str

    @property
    def name(self) -> str:
        """Its file name."""
        return f"session-{self.session}-{self.generation}-{self.start}-{self.end}-{self.digest}.gz"


def digest(data: bytes) -> str:
    """Return the digest of *data* that names a file."""
    return blake2b(data, digest_size=16).hexdigest()


def session_key(transcript: str) -> str:
    """Return what stands for a transcript's name in names of files."""
    return blake2b(transcript.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def new_machine(host: str) -> str:
    """Return a new name for this machine: its host's name, made safe, and something random."""
    label = re.sub(r"[^a-z0-9.]+", "-", host.lower()).strip("-.")[:40].rstrip("-.")
    return f"{label or 'machine'}-{os.urandom(4).hex()}"


def is_machine(name: str) -> bool:
    """Whether *name* may be that of a machine's folder."""
    return _MACHINE.match(name) is not None and ".." not in name


def label_of(machine: str) -> str:
    """Return what a person calls that machine."""
    match = _MACHINE.match(machine)
    return match[1] if match else machine


def log_file(name: str) -> LogFile | None:
    """Return the file of memories of that name; None if it is none."""
    match = _LOG.match(name)
    return LogFile(int(match[1]), match[2]) if match else None


def part_file(name: str) -> PartFile | None:
    """Return the part of a session of that name; None if it is none."""
    match = _PART.match(name)
    if match is None or not int(match[3]) < int(match[4]):
        return None
    return PartFile(match[1], int(match[2]), int(match[3]), int(match[4]), match[5])


def is_transcript(name: str) -> bool:
    """Whether *name* is one that a transcript can have on any system, inside the folder it is put into."""
    parts = name.split("/")
    return (
        len(name.encode("utf-8", "surrogatepass")) <= 900
        and 1 <= len(parts) <= 12
        and not name.startswith("%")
        and all(part.strip() and not part.endswith((".", " ")) and not _DEVICE.match(part) for part in parts)
        and not _UNUSABLE.search(name)
        and name.isprintable()
    )
