"""A small program in the product's place: what the executable itself does is tested alone and quickly."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = Path(os.environ.get("AUTOLOGY_BUILD_DIR") or ROOT / ".build")

MAIN = """
import json
import sys

def main(argv, client=None):
    if argv == ["--version"]:
        from autology import __version__
        print("autology", __version__)
        return 0
    if argv[:1] == ["echo"]:
        said = {"argv": argv, "argv0": sys.argv[0], "path0": sys.path[0], "text": "ÄЖ漢"}
        print(json.dumps(said, ensure_ascii=False))
        return 0
    if argv[:1] == ["serve"]:
        import mcp.server.lowlevel
        import pydantic_core, yaml
        print("serving on", sys.version.split()[0])
        return 0
    if argv[:1] == ["lazy"]:
        import autology.extra
        print(autology.extra.WORD)
        return 0
    return 2
"""

RUNNER = """
import sys

def run(event, raw):
    if b"explode" in raw:
        raise RuntimeError("the hook met " + "something odd")
    from autology.text import words
    print(event, len(raw), words.COUNT, "ÄЖ", "mcp" in sys.modules)
    return 0
"""

FILES = {
    "__init__.py": '"""A stand-in."""\n\n__version__ = "0.1.0"\n',
    "__main__.py": MAIN,
    "extra.py": "WORD = 'here'\n",
    "hooks/__init__.py": "",
    "hooks/runner.py": RUNNER,
    "startup/__init__.py": "",
    "startup/serving.py": "def served_folder(options):\n    return None\n",
    "text/__init__.py": "",
    "text/words.py": "def late():\n    import yaml\n    return yaml\n\nCOUNT = len({'a', 'b', 'c'})\n",
    "text/heavy.py": "import yaml\n",
}


def checkout(folder: Path, files: Mapping[str, str] = FILES) -> Path:
    """Make *folder* a checkout that holds the stand-in; its tools and packages are those of the real one."""
    for name in ("build.py", "pyproject.toml", "LICENSE"):
        shutil.copy2(ROOT / name, folder / name)
    for name in ("buildtools", "requirements", "server/boot", "server/absent"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in files.items():
        file = folder / "server" / "autology" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def build(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the checkout's build.py on a Python outside any environment, as a person would."""
    return subprocess.run(
        [base_python(), folder / "build.py", *arguments],
        env={**os.environ, "AUTOLOGY_BUILD_DIR": str(WORK)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def base_python() -> str:
    return getattr(sys, "_base_executable", sys.executable)


def users_python() -> str:
    """The Python that users have: AUTOLOGY_ON_PYTHON, so that the same tests can be run on each."""
    return os.environ.get("AUTOLOGY_ON_PYTHON") or base_python()


def homes(folder: Path) -> dict[str, str]:
    """Return an environment whose data and cache are in *folder*."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AUTOLOGY_", "CLAUDE_", "XDG_"))}
    return {**kept, "AUTOLOGY_CACHE_DIR": str(folder / "cache"), "AUTOLOGY_DATA_DIR": str(folder / "data")}
