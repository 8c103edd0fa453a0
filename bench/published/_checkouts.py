"""Checkouts of other projects' public repositories, which hold their measurements and are not part of this one.

They lie in $AUTOLOGY_PUBLISHED, or in .build/published, each in a folder with the name of its repository.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

from autology.wire import user

ROOT = Path(__file__).resolve().parents[2]
VARIABLE = "AUTOLOGY_PUBLISHED"


def checkout(repository: str, *needed: str) -> Path:
    """Return the folder with the checkout of *repository* (owner/name), and print its revision.

    Raises SystemExit, with the command that makes it, if any of the files *needed* is absent.
    """
    folder = Path(os.environ.get(VARIABLE) or ROOT / ".build" / "published") / repository.partition("/")[2]
    for name in needed:
        if not (folder / name).exists():
            get = f"git clone --depth 1 https://github.com/{repository} {folder}"
            raise SystemExit(f"{folder / name} does not exist; run: {get}")
    print(f"{repository}, revision {_revision(folder)}", file=sys.stderr)
    return folder


def circumstances() -> str:
    """Return what measured: our revision, the encoder and the Python."""
    encoder = user.encoder()
    name = encoder.name if encoder else "none"
    return f"Autology {_revision(ROOT)}, its defaults; encoder {name}; Python {platform.python_version()}"


def _revision(folder: Path) -> str:
    command = ["git", "-C", str(folder), "log", "-1", "--format=%h of %cs"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"
