"""A shared folder on another machine, through the user's own ssh: that machine needs a shell and tar."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO

from autology.mirror import names
from autology.mirror.ports import Place
from autology.model.errors import StorageError

READ_AT_ONCE = 200
"""Files asked for in one connection: their names fit into a pipe of 64 KB, so that none waits for the other."""
_MISSING = 3
_OPTIONS = ("-T", "-o", "ConnectTimeout=20", "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4")
_LINE = re.compile(rb"\s*([0-9]{1,18}) \./([^/\n]{1,255})/([^/\n]{1,255})\Z")
_FROM = f'cd -- "$1" 2>/dev/null || exit {_MISSING}; '
_LIST = f"{_FROM}find . -type f -exec wc -c {{}} +"
_READ = (
    f'{_FROM}while IFS= read -r f; do if [ -f "$f" ] && [ ! -L "$f" ]; then wc -c < "$f"; cat < "$f"; '
    "else echo -; fi; done"
)
_WRITE = (
    'umask 077; [ -L "$1/$2" ] && { echo "$2 is a link, which is not followed" >&2; exit 4; }; '
    'mkdir -p -- "$1/$2" && chmod 700 -- "$1/$2" && cd -- "$1/$2" || exit 5; rm -rf -- .incoming-*; '
    't=.incoming-$$; mkdir -- "$t" && (cd -- "$t" && tar -x -o -f -) || { rm -rf -- "$t"; exit 6; }; '
    'for f in "$t"/*; do [ -f "$f" ] && { mv -f -- "$f" . || exit 7; }; done; rmdir -- "$t"'
)


class SshFolder:
    """The :class:`~autology.mirror.ports.SharedFolder` at *path* on *host*, relative to the home folder there."""

    def __init__(self, host: str, path: str) -> None:
        self.place = f"ssh:{host}:{path}"
        self._host = host
        self._path = path

    def files(self) -> Mapping[str, Mapping[str, int]]:
        """Return the bytes of each regular file, by machine and name."""
        code, out, problem = self._run(_LIST, b"")
        if code == _MISSING:
            return {}
        if code:
            raise self._failure(code, problem)
        listing: dict[str, dict[str, int]] = {}
        for line in out.split(b"\n"):
            if match := _LINE.match(line):
                machine, name = (part.decode("utf-8", "replace") for part in match.groups()[1:])
                if names.is_machine(machine):
                    listing.setdefault(machine, {})[name] = int(match[1])
        return listing

    def read(self, places: Sequence[Place]) -> Iterator[tuple[Place, bytes | None]]:
        """Yield the bytes of files, in order; None for one that cannot be read, or is too large."""
        for at in range(0, len(places), READ_AT_ONCE):
            yield from self._read(places[at : at + READ_AT_ONCE])

    def _read(self, places: Sequence[Place]) -> Iterator[tuple[Place, bytes | None]]:
        wanted = "".join(f"./{machine}/{name}\n" for machine, name in places).encode()
        with tempfile.TemporaryFile() as errors:
            process = self._start(_READ, errors)
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                _feed(process.stdin, wanted)
                for place in places:
                    yield place, self._one(process.stdout, process, errors)
            finally:
                process.stdout.close()
                process.kill()
                process.wait()

    def _one(self, out: IO[bytes], process: subprocess.Popen[bytes], errors: IO[bytes]) -> bytes | None:
        line = out.readline(100).strip()
        if line == b"-":
            return None
        if not line.isdigit():
            raise self._failure(process.wait(), _text_in(errors))
        size = int(line)
        if size > names.LARGEST_FILE:
            step = "Autology did not write it; remove it there."
            raise StorageError(self.place, f"holds a file of {size:,} bytes", step)
        data = out.read(size)
        if len(data) < size:
            raise self._failure(process.wait(), _text_in(errors))
        return data

    def write(self, machine: str, files: Iterable[tuple[str, bytes]]) -> None:
        """Write files of *machine*, each wholly or not at all, readable by the user only. Raises StorageError."""
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for name, data in files:
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode = len(data), 0o600
                tar.addfile(entry, io.BytesIO(data))
        code, _, problem = self._run(_WRITE, packed.getvalue(), machine)
        if code:
            raise self._failure(code, problem)

    # ---- the process ---------------------------------------------------------------------------------

    def _run(self, script: str, stdin: bytes, *arguments: str) -> tuple[int, bytes, str]:
        with tempfile.TemporaryFile() as errors:
            process = self._start(script, errors, *arguments)
            try:
                out = process.communicate(stdin)[0]
            except BaseException:
                process.kill()
                process.wait()
                raise
            return process.returncode, out, _text_in(errors)

    def _start(self, script: str, errors: IO[bytes], *arguments: str) -> subprocess.Popen[bytes]:
        program = shutil.which("ssh")
        if program is None:
            raise StorageError(self.place, "ssh is not on the PATH", "Install OpenSSH's client, or mirror a folder.")
        # Through sh, whatever shell the user has there.
        command = f"exec sh -c {shlex.quote(script)} sh {' '.join(map(shlex.quote, (self._path, *arguments)))}"
        try:
            return subprocess.Popen(
                [program, *_OPTIONS, "--", self._host, command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, "LC_ALL": "C"},
            )
        except OSError as error:
            step = "Try `ssh` by hand."
            raise StorageError(self.place, f"ssh cannot be started: {error.strerror or error}", step) from None

    def _failure(self, code: int, problem: str) -> StorageError:
        reason = problem or (f"ssh ended with {code}" if code else "ended before everything was read")
        step = f"What was written stays; try `ssh {self._host}` by hand, then run the command again."
        return StorageError(self.place, reason, step)


def _feed(stdin: IO[bytes], data: bytes) -> None:
    try:
        stdin.write(data)
        stdin.close()
    except OSError:
        return  # what it says on its way out is the reason


def _text_in(errors: IO[bytes]) -> str:
    """Return the last lines of what was written to standard error."""
    errors.seek(0)
    lines = [line.strip() for line in errors.read(100_000).decode("utf-8", "replace").splitlines() if line.strip()]
    return "; ".join(lines[-2:])[:300]
