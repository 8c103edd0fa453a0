"""Precision and recall of the code graph on labelled functions, compared caller by caller.

The labels (tests/labelled/callers.jsonl) were made from tokens, indentation and reading, without a parser: of this
project's own source at `LABELLED`, and of Python's json and email packages as Python 3.11 has them. Those of other
languages (callers_elsewhere.jsonl) are what the languages' own compilers say, of functions drawn by chance:
TypeScript's of RxJS 7.8.2, Go's of cobra 1.6.1 and pflag with their tests. The sources come from the package indexes;
where one cannot be had, it is said and left out.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology.codegraph.code_graph import CodeGraph  # noqa: E402
from autology.wire.project import Project  # noqa: E402
from tests.fakes import parsers  # noqa: E402

LABELS = ROOT / "tests" / "labelled"
BARS = {
    "callers.jsonl": {"precision": 0.95, "recall": 0.9},
    "callers_elsewhere.jsonl": {"precision": 0.95, "recall": 0.85},
}
LABELLED = "b15b0df"
"""The revision whose source was labelled."""
COBRA = ("golang-github-spf13-cobra-dev", "golang-github-spf13-pflag-dev")


def main() -> int:
    library = Path(sysconfig.get_path("stdlib"))
    missed = []
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as scratch:
        own = {"autology": as_labelled(Path(scratch)), "json": library / "json", "email": library / "email"}
        os.environ["AUTOLOGY_DATA_DIR"] = str(Path(scratch) / "data")
        missed += compared("callers.jsonl", own, Path(scratch))
        parsers.installed(Path(scratch) / "data")
        missed += compared("callers_elsewhere.jsonl", elsewhere(Path(scratch)), Path(scratch))
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0


def compared(labels: str, folders: dict[str, Path], scratch: Path) -> list[str]:
    """Print how well the callers in *folders* are told; return which bars are missed."""
    every = [json.loads(line) for line in (LABELS / labels).read_text(encoding="utf-8").splitlines()]
    rows = [row for row in every if row["project"] in folders]
    right = said = there = 0
    for name, folder in folders.items():
        root = scratch / f"of-{name}" / name
        shutil.copytree(folder, root / name, ignore=shutil.ignore_patterns("__pycache__"))
        (root / ".autology").mkdir()
        counts = measured(read(root), [row for row in rows if row["project"] == name])
        print(f"{name}: {told(*counts)}")
        right, said, there = right + counts[0], said + counts[1], there + counts[2]
    if not rows:
        return []
    print(f"{labels}, {len(rows)} questions: {told(right, said, there)}")
    found = {"precision": right / said, "recall": right / there}
    bars = BARS[labels].items()
    return [f"{labels}: {what} is {found[what]:.3f}; the bar is {bar}" for what, bar in bars if found[what] < bar]


def as_labelled(scratch: Path) -> Path:
    """Return this project's own source as it was when it was labelled."""
    packed = scratch / "labelled.tar"
    subprocess.run(["git", "archive", "-o", packed, LABELLED, "server/autology"], cwd=ROOT, check=True)
    with tarfile.open(packed) as archive:
        archive.extractall(scratch / "labelled", filter="data")
    return scratch / "labelled" / "server" / "autology"


def elsewhere(scratch: Path) -> dict[str, Path]:
    """Fetch the sources in other languages; say which cannot be had here."""
    found = {}
    for name, fetch in {"rxjs": rxjs, "cobra": cobra}.items():
        folder = scratch / f"fetched-{name}"
        folder.mkdir()
        try:
            found[name] = fetch(folder)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"{name}: left out, its source cannot be fetched here ({error})")
    return found


def rxjs(folder: Path) -> Path:
    """Fetch RxJS from npm's registry."""
    subprocess.run(["npm", "pack", "--silent", "rxjs@7.8.2"], cwd=folder, check=True, capture_output=True)
    with tarfile.open(folder / "rxjs-7.8.2.tgz") as archive:
        archive.extractall(folder, filter="data")
    return folder / "package" / "src"


def cobra(folder: Path) -> Path:
    """Fetch cobra and pflag from Debian's packages."""
    subprocess.run(["apt-get", "download", *COBRA], cwd=folder, check=True, capture_output=True)
    for package in folder.glob("*.deb"):
        subprocess.run(["dpkg", "-x", package, folder / "all"], check=True, capture_output=True)
    return folder / "all" / "usr" / "share" / "gocode" / "src" / "github.com" / "spf13"


def read(root: Path) -> CodeGraph:
    """Return the code at *root*, and say what reading it costs, the first time and from what was kept."""
    for what in ("read", "kept"):
        code = Project(str(root)).code
        begun = time.process_time()
        state = code.current()
        took = time.process_time() - begun
        files = sum(not symbol.name for symbol in state.graph.symbols)
        print(f"{root.name}: {files} files {what} in {took:.2f} s of processor time, {len(state.graph.links):,} links")
    begun = time.process_time()
    code.current()
    print(f"{root.name}: nothing changed in {(time.process_time() - begun) * 1000:.1f} ms")
    return code


def measured(code: CodeGraph, rows: list[dict[str, object]]) -> tuple[int, int, int]:
    """Return how many callers are told rightly, how many are told, and how many there are."""
    right = said = there = 0
    for row in rows:
        told = code.answer(f"what calls {row['symbol']}")
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
