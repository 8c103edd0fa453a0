"""Precision and recall of recall intent, of nearness to past work, and of the prompt hook in a whole world of sessions.

On prompts that rules were tuned on and on unseen ones.
"""

import json
import os
import re
import statistics
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Sequence
from itertools import islice, product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology.hooks.messages import weight  # noqa: E402
from autology.hooks.project import HookProject  # noqa: E402
from autology.hooks.prompt_submit import near  # noqa: E402
from autology.ranking.recall_intent import by_phrase, recall_intent  # noqa: E402
from bench.moment_world import HERE, World  # noqa: E402
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

IN_A_WORLD = (0.95, 0.85)
"""The least precision and recall of the whole hook in the world of tests/labelled/moment."""
OF_A_KIND = 0.7
"""Its least recall for each language, misspelt and terse prompts."""
RIGHT, VISIBLE = 0.95, 0.9
"""The least shares of answers that show the right session, and the sentence that answers."""
MOST = 1_600
"""Quarters of a token that an answer may have."""

WORLD_HEAD = (
    "| half | kind | prompts | answered | right session | sentence visible | tokens, median and most |\n"
    "|---|---|---|---|---|---|---|"
)

OTHERS_HEAD = (
    "| prompts | half | ask | answered | right session | sentence visible"
    " | do not ask | answered | precision | recall |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)

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
        ok &= measure_near(Path(name))
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as name:
        world = World(Path(name))
        print(f"\n{WORLD_HEAD}")
        for half in ("open", "sealed"):
            ok &= measure_hook(world, half)
    print(f"\n{OTHERS_HEAD}")
    for name, half in product(OTHERS, ("open", "sealed")):
        ok &= measure_others(name, half)
    return 0 if ok else 1


OTHERS = ("prompts4", "prompts5", "prompts6")
"""Sets of prompts by three other authors, over worlds of tests/labelled/change2 to …5."""


def measure_others(labels: str, half: str) -> bool:
    """Print what the hook answers to the prompts of a *half* of the set *labels*.

    Prompts of which it may be argued whether they ask for the past are left out.
    """
    lines = (HERE.parent / labels / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["ask"] != "maybe"]
    for name in dict.fromkeys(row["world"] for row in rows):
        with tempfile.TemporaryDirectory(prefix="autology-bench-") as folder:
            world = World(Path(folder), HERE.parent / name)
            for row in (row for row in rows if row["world"] == name):
                row["text"] = world.hook(row["project"], row["prompt"])
                sessions = {world.keys.get(session) for session in sessions_of(world, row)}
                notes = {key for id, key in world.notes.items() if id[:8] in row["text"]}
                row["right"] = not (sessions | notes).isdisjoint(row["gold"])
                shown = plain("\n".join(row["text"].splitlines()[1:-1]))
                row["visible"] = bool(row["answer"]) and plain(row["answer"]) in shown
    asking = [row for row in rows if row["ask"] == "yes"]
    answered = [row for row in asking if row["text"]]
    wrong = sum(bool(row["text"]) for row in rows if row["ask"] == "no")
    recall, precision = len(answered) / len(asking), len(answered) / max(1, len(answered) + wrong)
    right, visible = (sum(row[fact] for row in answered) for fact in ("right", "visible"))
    print(
        f"| {labels} | {half} | {len(asking)} | {len(answered)} | {right} | {visible}"
        f" | {len(rows) - len(asking)} | {wrong} | {precision:.3f} | {recall:.3f} |"
    )
    return precision >= IN_A_WORLD[0] and recall >= IN_A_WORLD[1] and right >= RIGHT * len(answered)


def plain(text: str) -> str:
    """Return *text* without the marks and breaks of which a quotation has others."""
    return " ".join(re.sub(r"[\s*`_|]+", " ", text).lower().split())


def measure_hook(world: World, half: str) -> bool:
    """Print what the hook answers to the prompts of a *half*; of the sealed one only sums."""
    rows = [json.loads(line) for line in (HERE / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["text"] = world.hook(row["project"], row["prompt"])
        # The prompt's own words may hold the marks of the answer.
        lines = row["text"].splitlines()
        row["visible"] = any(re.search(mark, line) for line in lines[1:-1] for mark in marks(world, row))
        row["right"] = any(world.keys.get(session) in row["gold"] for session in sessions_of(world, row))
    asking = [row for row in rows if row["ask"]]
    ok = True
    for kind in dict.fromkeys(kind_of(row) for row in asking):
        of_kind = [row for row in asking if kind_of(row) == kind]
        share = print_kind(half, kind, of_kind)
        ok &= share >= OF_A_KIND or len(of_kind) < FEW
    print_kind(half, "all that ask", asking)
    answered = [row for row in asking if row["text"]]
    wrong = [row for row in rows if not row["ask"] and row["text"]]
    precision, recall = len(answered) / max(1, len(answered) + len(wrong)), len(answered) / len(asking)
    print(f"| {half} | that do not ask | {len(rows) - len(asking)} | {len(wrong)} | | | |")
    print(f"\n{half}: precision {precision:.3f}, recall {recall:.3f}\n")
    blocks = [row for row in answered if "<autology-recalled" in row["text"]]
    ok &= precision >= IN_A_WORLD[0] and recall >= IN_A_WORLD[1]
    ok &= sum(row["right"] for row in blocks) >= RIGHT * len(blocks)
    ok &= sum(row["visible"] for row in blocks) >= VISIBLE * len(blocks)
    return ok and all(weight(row["text"]) <= MOST for row in answered)


FEW = 10
"""Prompts of a kind, below which its recall is only printed."""


def print_kind(half: str, kind: str, rows: Sequence[Row]) -> float:
    answered = [row for row in rows if row["text"]]
    tokens = [weight(row["text"]) / 4 for row in answered] or [0]
    print(
        f"| {half} | {kind} | {len(rows)} | {len(answered)} | {sum(row['right'] for row in answered)}"
        f" | {sum(row['visible'] for row in answered)} | {statistics.median(tokens):.0f}, {max(tokens):.0f} |"
    )
    return len(answered) / len(rows)


def kind_of(row: Row) -> str:
    return str(row["language"] if row["kind"] == "foreign" else row["kind"])


def marks(world: World, row: Row) -> list[str]:
    """Return the patterns of which one is in every passage that answers."""
    return [mark for key in row["gold"] for mark in world.marks[key]]


def sessions_of(world: World, row: Row) -> set[str]:
    """Return the sessions of the chunks that an answer shows."""
    short = set(re.findall(r'chunk(?:_id": ")? ?([0-9a-f]{8})', row["text"]))
    return {session for id, session in world.chunks().items() if id[:8] in short}


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
