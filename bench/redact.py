"""The speed of redaction, and its recall on a labelled set.

Speed on prose (other projects' markdown, bench/material.py), on code (this project's own and what Python brings along)
and on the most hostile of texts; quality on the labelled set of the tests.
"""

from __future__ import annotations

import sys
import sysconfig
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology.text.redaction import redact  # noqa: E402
from bench.material import corpora  # noqa: E402
from tests.labelled.secret_forms.halves import DEV, UNSEEN, cases  # noqa: E402
from tests.labelled.secret_forms.scoring import score  # noqa: E402

CHUNK = 2_000
"""Characters of a passage of a conversation, as it is indexed."""
ROUNDS = 5
BUDGET = 20.0
"""MB a second on prose and on code: 2,000 chunks a second take a fifth of that."""
HOSTILE = (
    "pass",
    "token: ",
    'token="a',
    "my_key: ",
    "eyJaaaaaaaaaaaa.",
    "API_KEY=a1B2c3D4e5F6g7H8 ",
    "mysql -p ",
    "://a:",
)


def main() -> int:
    """Print the figures; 1 if one misses its budget."""
    missed = 0
    for name, texts in (("prose", _read(corpora().rglob("*.md"))), ("code", _code())):
        if not texts:
            print(f"{name}: no files to read", file=sys.stderr)
            return 1
        size, speed = _speed(texts)
        missed += speed < BUDGET
        print(f"{name:<8} {size / 1e6:6.2f} MB {speed:6.1f} MB/s (budget {BUDGET})")
    for unit in HOSTILE:
        text = unit * (1_000_000 // len(unit))
        began = time.process_time()
        redact(text)
        print(f"hostile  {unit!r:<28} 1 MB in {time.process_time() - began:.2f} s")
    for half in (DEV, UNSEEN):
        some = [case for case in cases() if case.half == half]
        done = score(some)
        secrets = sum(case.secret is not None for case in some)
        print(f"{half:<8} {secrets} secrets, {len(some) - secrets} look-alikes: ", end="")
        print(f"recall {done.recall:.4f}, precision {done.precision:.4f}")
    return 1 if missed else 0


def _speed(texts: Sequence[str]) -> tuple[int, float]:
    chunks = [text[at : at + CHUNK] for text in texts for at in range(0, len(text), CHUNK)]
    size = sum(map(len, chunks))
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        for chunk in chunks:
            redact(chunk)
        best = min(best, time.process_time() - began)
    return size, size / best / 1e6


def _code() -> list[str]:
    library = Path(sysconfig.get_path("stdlib"))
    return _read([*(ROOT / "server").rglob("*.py"), *library.glob("*.py")])


def _read(paths: Iterable[Path]) -> list[str]:
    return [path.read_text(encoding="utf-8", errors="replace") for path in sorted(paths)]


if __name__ == "__main__":
    raise SystemExit(main())
