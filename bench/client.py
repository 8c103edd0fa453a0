"""A client of the server for measurements: it starts the server, shakes hands and sends requests one by one."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXECUTABLE = Path(os.environ.get("AUTOLOGY_EXECUTABLE") or ROOT / "dist" / "autology.pyz")
# Never a version manager's stand-in. Choose one whose site-packages hold no .pth file: each costs a bare start.
PYTHON = os.environ.get("BENCH_PYTHON") or os.path.realpath(getattr(sys, "_base_executable", sys.executable))
FLAGS = ("-I", "-S")


def serving(python: str = PYTHON) -> list[str]:
    """Return the command that starts the built server."""
    return [python, *FLAGS, str(EXECUTABLE), "serve"]


def apart(folder: Path) -> dict[str, str]:
    """Return an environment in which nothing is kept but in *folder*, and whatever is started is compiled once."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "AUTOLOGY_CACHE_DIR": str(folder / "cache"), "AUTOLOGY_DATA_DIR": str(folder / "data")}


class Server:
    """A server that *command* starts in *cwd*; it has answered the handshake."""

    def __init__(self, command: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> None:
        pipe = subprocess.PIPE
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(command, cwd=cwd, env=environment, stdin=pipe, stdout=pipe, stderr=quiet)
        self.last = 0
        client = {"name": "bench", "version": "1"}
        version = {"protocolVersion": "2025-11-25"}
        greeting = self.request("initialize", {**version, "capabilities": {}, "clientInfo": client})
        self.instructions = str(greeting.get("instructions", ""))
        self.send({"method": "notifications/initialized"})

    def send(self, message: Mapping[str, object]) -> None:
        """Send a message and wait for nothing."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, params: Mapping[str, object]) -> dict[str, object]:
        """Return the result of a request. Raises RuntimeError where there is none."""
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        assert self.process.stdout
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") != self.last:
                continue
            if "result" not in answer:
                raise RuntimeError(f"{method} failed: {json.dumps(answer)[:500]}")
            result: dict[str, object] = answer["result"]
            return result
        raise RuntimeError("the server ended")

    def call(self, tool: str, **arguments: object) -> float:
        """Call *tool*; return the milliseconds until its answer. Raises RuntimeError where it fails."""
        begun = time.perf_counter()
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        took = (time.perf_counter() - begun) * 1000
        if result.get("isError"):
            raise RuntimeError(f"{tool} failed: {json.dumps(result)[:500]}")
        return took

    def close(self) -> None:
        """End it as a client does: by the end of its input."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()
