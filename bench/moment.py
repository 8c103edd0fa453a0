"""Precision and recall of recall intent and of nearness to past work, on tuned and unseen prompts."""

import os
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology.hooks.project import HookProject  # noqa: E402
from autology.hooks.prompt_submit import near  # noqa: E402
from autology.ranking.recall_intent import by_phrase, recall_intent  # noqa: E402
from tests.labelled.reading import halves  # noqa: E402
from tests.unit.past_kit import past  # noqa: E402

ASKING = (0.95, 0.9)
"""The least precision and recall of telling who asks for the past."""
CLOSE = (0.95, 0.65)
"""The same of telling what comes close to past work: a line too few costs less than one too many."""
SAME = (0.95, 0.5)
"""The same where a file is named: one word that is shared beside it would find 0.7 and be wrong in one of eight."""
FOREIGN = 3_000
"""Chunks of foreign text among which past work is to be found: what is near there was not labelled, so no bar."""
HEAD = "| prompts | | right | wrong | missed | precision | recall |\n|---|---|---|---|---|---|---|"

Row = dict[str, Any]


def main() -> int:
    def asks(row: Row) -> bool | None:
        return row["past"] if by_phrase(recall_intent(row["prompt"])) else None

    print(HEAD)
    (tuned, unseen), (later, later_unseen) = halves("prompts"), halves("prompts_later")
    report("200, tuned on", tuned, asks)
    ok = report("200, unseen", unseen, asks, ASKING)
    report("80 written later, tuned on", later, asks)
    report("80 written later, unseen", later_unseen, asks)
    ok &= report("both, unseen", unseen + later_unseen, asks, ASKING)
    print(f"\n{HEAD}")
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as name:
        return 0 if measure_near(Path(name)) and ok else 1


def measure_near(folder: Path) -> bool:
    os.environ["AUTOLOGY_DATA_DIR"] = str(folder / "data")
    work = [row for rows in halves("near_past") for row in rows]
    ids = past(
        folder, folder, [{**row, "id": f"{at:024x}", "files": tuple(row["files"])} for at, row in enumerate(work)]
    )
    known = {id: row["id"] for id, row in zip(ids, work, strict=True)}

    def comes_close(row: Row) -> bool | None:
        _, found = near(row["prompt"], HookProject(str(folder), {"session_id": "bench"}))
        return known.get(found[0].id) == row["past"] if found else None

    tuned, unseen = halves("near")
    report("close to past work, tuned on", tuned, comes_close)
    ok = report("close to past work, unseen", unseen, comes_close, CLOSE)
    files, files_unseen = halves("near_files")
    report("naming files, tuned on", files, comes_close)
    ok &= report("naming files, unseen", files_unseen, comes_close, SAME)
    past(folder, folder, foreign(FOREIGN))
    report(f"among {FOREIGN:,} other chunks, tuned on", tuned, comes_close)
    report(f"among {FOREIGN:,} other chunks, unseen", unseen, comes_close)
    report(f"naming files, among {FOREIGN:,} other chunks", files + files_unseen, comes_close)
    return ok


def foreign(number: int) -> list[Row]:
    """Return chunks of text that nobody here has written: of Python's own library."""
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("**/*.py"))
    texts = (file.read_text(encoding="utf-8", errors="replace")[:60_000] for file in files)
    parts = (text[at : at + 1_500] for text in texts for at in range(0, len(text), 1_500))
    return [{"id": f"f{at:023x}", "text": text} for at, text in enumerate(islice(parts, number))]


def report(
    name: str, rows: Sequence[Row], judge: Callable[[Row], bool | None], least: tuple[float, float] = (0.0, 0.0)
) -> bool:
    """Print how *judge* did: True for what it rightly found, False for wrongly, None for what it did not find."""
    found = [judged for judged in map(judge, rows) if judged is not None]
    right, wrong = found.count(True), found.count(False)
    wanted = sum(bool(row["past"]) for row in rows)
    precision, recall = right / max(1, len(found)), right / wanted
    missed = precision < least[0] or recall < least[1]
    print(
        f"| {name} | {len(rows)} | {right} | {wrong} | {wanted - right} | {precision:.3f} | {recall:.3f} |"
        f"{' below the bar' if missed else ''}"
    )
    return not missed


if __name__ == "__main__":
    sys.exit(main())
