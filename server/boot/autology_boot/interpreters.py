"""Finding a Python that can run the program, if the one that was started cannot."""

import os
import subprocess
import sys

from autology_boot import facts, places, target
from autology_boot.problem import Problem

HANDED_OVER = "AUTOLOGY_BOOT_HANDED_OVER"  # Set for the chosen Python: it does not choose again.
NEWEST, OLDEST = 15, 11  # The minor versions searched, newest first.
PROBE = """
import sys
sys.path.insert(0, sys.argv[1])
import lzma
from autology_boot import target
print(target.key())
print(sys.executable)
"""
PATIENCE = 10  # Seconds for a Python to report its version: a version manager's shim needs up to one.


def hand_over(archive, arguments):
    """Run the program on a suitable Python; return its exit code. Raises Problem if there is none."""
    if os.environ.pop(HANDED_OVER, ""):
        _forget()
        raise _unsuitable()
    python = find(archive)
    if python is None:
        raise _unsuitable()
    return replace_process(python, archive, arguments, {HANDED_OVER: "1"})


def run_hook(archive, event, raw):
    """Run a hook on a suitable Python with the input already read; return its exit code."""
    if os.environ.get(HANDED_OVER):
        _forget()
        return 0
    python = find(archive)
    if python is None:
        raise _no_python()
    environment = dict(os.environ, **{HANDED_OVER: "1"})
    command = [python, "-I", "-S", archive, "hook", event]
    return subprocess.run(command, input=raw, env=environment, check=False).returncode


def replace_process(python, archive, arguments, extra):
    """Run the archive on *python*, replacing this process if possible, else as a child."""
    command = [python, "-I", "-S", archive, *arguments]
    environment = dict(os.environ, **extra)
    sys.stdout.flush()
    sys.stderr.flush()
    if sys.platform == "win32":
        return subprocess.call(command, env=environment)
    return os.execve(python, command, environment)  # noqa: S606 - never through a shell


def pass_on(client, archive, arguments, extra):
    """Run the archive as a child process that takes over *client*; return its exit code."""
    import threading

    command = [sys.executable, "-I", "-S", archive, *arguments]
    environment = dict(os.environ, **extra)
    process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=client.output())

    def send():
        try:
            for line in client.lines():
                process.stdin.write(line if line.endswith(b"\n") else line + b"\n")  # An overlong line lost its end.
                process.stdin.flush()
            process.stdin.close()
        except OSError:
            pass  # It has ended.

    threading.Thread(target=send, daemon=True).start()
    return process.wait()


def find(archive):
    """Return the newest Python that this archive has a program for, or None; cached on disk."""
    # PATH is part of the key: if it changes, the answer may too.
    cache_key = "\n".join([facts.BUILD_ID, sys.executable, os.environ.get("PATH", "").replace("\n", " ")])
    cached = _cached(cache_key)
    if cached:
        return cached
    for command in _candidates():
        python = _ask(command, archive)
        if python:
            _cache(cache_key, python)
            return python
    return None


def _candidates():
    launcher = _on_path("py") if sys.platform == "win32" else None
    for minor in range(NEWEST, OLDEST - 1, -1):
        path = _on_path("python3.%d" % minor)
        if path:
            yield [path]
        if launcher:
            yield [launcher, "-3.%d" % minor]
    for name in ("python3", "python"):
        path = _on_path(name)
        if path:
            yield [path]


def _on_path(name):
    """Return the program of that name on PATH; None in the current folder, which may be a stranger's repository."""
    import shutil

    path = shutil.which(name)  # On Windows it looks into the current folder first.
    return path if path and os.path.isabs(path) else None


def _ask(command, archive):
    """Return the path of the Python that *command* starts, if this archive has a program for it."""
    try:
        answer = subprocess.run(
            [*command, "-I", "-S", "-c", PROBE, archive],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    lines = answer.stdout.decode("utf-8", "replace").splitlines()
    if answer.returncode != 0 or len(lines) != 2 or lines[0] not in facts.TARGETS:
        return None
    return lines[1]


def _cache_file():
    return os.path.join(places.cache_folder(), "interpreter")


def _cached(question):
    try:
        with open(_cache_file(), encoding="utf-8") as file:
            key, _, python = file.read().rpartition("\n")
    except (OSError, ValueError):
        return None
    return python if key == question and os.path.exists(python) else None


def _cache(question, python):
    try:
        os.makedirs(places.cache_folder(), mode=0o700, exist_ok=True)
        new = "%s.%d" % (_cache_file(), os.getpid())
        with open(new, "w", encoding="utf-8", newline="") as file:
            file.write(question + "\n" + python)
        os.replace(new, _cache_file())
    except OSError:
        pass  # The search is repeated then.


def _forget():
    try:
        os.unlink(_cache_file())
    except OSError:
        pass


def _unsuitable():
    return _no_lzma() if target.key() in facts.TARGETS else _no_python()


def _no_lzma():
    return Problem(
        "%s was built without the module lzma, which unpacks Autology, and PATH has no other Python that fits."
        % sys.executable,
        "Install another Python 3.11 or newer, or install liblzma and build this Python again (Debian, Ubuntu:"
        " `apt-get install liblzma-dev`; macOS: `brew install xz`; then `pyenv install --force %d.%d`)."
        % sys.version_info[:2],
    )


def _no_python():
    here = "%s (%s)" % (sys.version.split()[0], target.key())
    fitting = ", ".join(sorted(facts.TARGETS)) or "none"
    if sys.version_info >= (3, 11) and sys.implementation.name == "cpython":
        return Problem(
            "This file was built for %s. This is Python %s, and PATH has no matching Python." % (fitting, here),
            "Build one for this Python in a clone of the repository: `%s build.py build`, or one for all:"
            " `python3 build.py release --all FOLDER`." % ("python3.%d" % sys.version_info[1]),
        )
    return Problem(
        "Autology needs CPython 3.11 or newer. This is %s, this file supports %s, and PATH has no such Python."
        % (here, fitting),
        "Install one from python.org or your system's packages so that it is on the PATH, then start again.",
    )
