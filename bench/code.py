"""How well the code graph knows who calls what: answers for labelled functions, compared caller by caller.

The labels (tests/labelled/callers.jsonl) were made from tokens, indentation and reading, without a parser: of this
project's own source, and of Python's json and email packages as Python 3.11 has them.
"""

import json
import shutil
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "server"))

from autology import wire  # noqa: E402
from autology.core.code import Code  # noqa: E402
from autology.core.code.answer import answer  # noqa: E402

LABELS = ROOT / "tests" / "labelled" / "callers.jsonl"
BARS = {"precision": 0.95, "recall": 0.9}


def main() -> int:
    rows = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    library = Path(sysconfig.get_path("stdlib"))
    folders = {"autology": ROOT / "server" / "autology", "json": library / "json", "email": library / "email"}
    right = said = there = 0
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as scratch:
        for name, folder in folders.items():
            root = Path(scratch) / name
            shutil.copytree(folder, root / name, ignore=shutil.ignore_patterns("__pycache__"))
            (root / ".autology").mkdir()
            code = read(root)
            counts = measured(code, [row for row in rows if row["project"] == name])
            print(f"{name}: {told(*counts)}")
            right, said, there = right + counts[0], said + counts[1], there + counts[2]
    print(f"together, {len(rows)} questions: {told(right, said, there)}")
    found = {"precision": right / said, "recall": right / there}
    missed = [f"{what} is {found[what]:.3f}; the bar is {bar}" for what, bar in BARS.items() if found[what] < bar]
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0


def read(root: Path) -> Code:
    """Return the code at *root*, and say what reading it costs, the first time and from what was kept."""
    for what in ("read", "kept"):
        code = wire.code(str(root))
        begun = time.process_time()
        state = code.current()
        took = time.process_time() - begun
        files = sum(not symbol.name for symbol in state.map.symbols)
        print(f"{root.name}: {files} files {what} in {took:.2f} s of processor time, {len(state.map.links):,} links")
    begun = time.process_time()
    code.current()
    print(f"{root.name}: nothing changed in {(time.process_time() - begun) * 1000:.1f} ms")
    return code


def measured(code: Code, rows: list[dict[str, object]]) -> tuple[int, int, int]:
    """Return how many callers are told rightly, how many are told, and how many there are."""
    right = said = there = 0
    for row in rows:
        told = answer(code, f"what calls {row['symbol']}")
        direct = [each.link for each in told.links if each.through is None] if told else []
        found = {str(link.source) for link in direct}
        wanted = set(row["callers"])  # type: ignore[call-overload]
        right, said, there = right + len(found & wanted), said + len(found), there + len(wanted)
        for what, some in (("missed", wanted - found), ("wrong", found - wanted)):
            for each in sorted(some):
                print(f"  {what}: {each} calls {row['symbol']}")
    return right, said, there


def told(right: int, said: int, there: int) -> str:
    return f"precision {right / max(said, 1):.3f} ({right} of {said}), recall {right / max(there, 1):.3f} of {there}"


if __name__ == "__main__":
    sys.exit(main())
