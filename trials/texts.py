"""Where other projects' texts lie, which the trials read; looked up before each test clears the environment."""

from __future__ import annotations

import os
from pathlib import Path

SHARED = Path(os.environ.get("AUTOLOGY_SHARED", "")).resolve()
CORPORA = SHARED / "bench" / "corpora"
TRANSCRIPTS = SHARED / "samples" / "transcripts"

for _folder in (CORPORA, TRANSCRIPTS):
    if not _folder.is_dir():
        raise FileNotFoundError(
            f"{_folder} does not exist: set AUTOLOGY_SHARED to the folder that holds bench/corpora and "
            "samples/transcripts, or run `python3 build.py trial`, which looks beside the checkout"
        )
