"""How well prompts that ask for the past are told from those that do not: on what was tuned on, and unseen."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology.ranking.moment import moment  # noqa: E402
from tests.labelled.reading import halves  # noqa: E402

PRECISION, RECALL = 0.95, 0.9


def main() -> int:
    tuned, unseen = halves("prompts")
    later_tuned, later_unseen = halves("prompts_later")
    print("| prompts | | right | wrong | missed | precision | recall |\n|---|---|---|---|---|---|---|")
    report("200, tuned on", tuned)
    ok = report("200, unseen", unseen)
    report("80 written later, tuned on", later_tuned)
    report("80 written later, unseen", later_unseen)
    ok &= report("both, unseen", unseen + later_unseen)
    return 0 if ok else 1


def report(name: str, rows: list[dict[str, object]]) -> bool:
    found = [row["past"] for row in rows if moment(str(row["prompt"]))]
    right, wrong = found.count(True), found.count(False)
    wanted = sum(row["past"] is True for row in rows)
    precision, recall = right / max(1, len(found)), right / wanted
    missed = precision < PRECISION or recall < RECALL
    print(
        f"| {name} | {len(rows)} | {right} | {wrong} | {wanted - right} | {precision:.3f} | {recall:.3f} |"
        f"{' below the bar' if missed else ''}"
    )
    return not missed


if __name__ == "__main__":
    sys.exit(main())
