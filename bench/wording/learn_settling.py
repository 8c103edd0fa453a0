"""Learn how talk goes that settles something, and write the weights that ranking/settling.py reads.

Sessions that settle something are those that the amended questions and the mentions of the open halves of
tests/labelled/change, …2, …3, …4 and …5 call so; the others are those that only mention a matter.
``--without NAME`` leaves a world out and prints how well the others tell its sessions apart; nothing is written.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import exp, sqrt
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology.ranking import settling  # noqa: E402
from autology.ranking.change_statements import ASSISTANT_SAYS, EDITED_TO, USER_SAYS, is_talk  # noqa: E402
from autology.ranking.settling import BIAS, SCALE, UNITS, form, words  # noqa: E402
from autology.text.markdown.code_blocks import taken_apart  # noqa: E402
from autology.text.source_code.replaced_lines import replaced_lines  # noqa: E402

LABELS = ROOT / "tests" / "labelled"
WEIGHTS = Path(settling.__file__).with_name("settling.txt")
WORLDS = ("change", "change2", "change3", "change4", "change5")
SHRUNK = 6.0
"""The L2 penalty: with 3 to 10, the mean area under the curve of the worlds left out differs by 0.01."""
OFTEN = 15
"""Sessions that must have a word, in every world at least one, for it to have a weight: with 7 to 30, the mean area
under the curve differs by 0.02, without words it is 0.03 less."""
STEPS = 2_000

HEAD = "# Written by bench/wording/learn_settling.py: features of talk, and their weights in hundredths."

Session = tuple[str, bool]
Features = dict[str, float]


def main() -> int:
    """Write the weights, or report on a world that is left out."""
    without = sys.argv[sys.argv.index("--without") + 1] if "--without" in sys.argv else ""
    weights = weights_of([world for world in WORLDS if world != without])
    if without:
        scores = [(score(text, weights), settled) for text, settled in sessions(without)]
        right, others = ([score for score, settled in scores if settled is side] for side in (True, False))
        area = sum((a > b) + 0.5 * (a == b) for a in right for b in others) / (len(right) * len(others))
        recognised = sum(score >= settling.SETTLES for score in right) / len(right)
        wrongly = sum(score >= settling.SETTLES for score in others) / len(others)
        print(f"{without}: area {area:.3f}; recognised {recognised:.2f} of {len(right)}", end=", ")
        print(f"wrongly {wrongly:.2f} of {len(others)}")
    else:
        WEIGHTS.write_text(as_text(weights), encoding="utf-8")
    return 0


def as_text(weights: Mapping[str, float]) -> str:
    """Return the file of *weights*, in hundredths."""
    lines = (f"{feature}\t{round(UNITS * weight)}" for feature, weight in sorted(weights.items()))
    return "\n".join((HEAD, *lines, ""))


def sessions(world: str) -> list[Session]:
    """Return the labelled sessions of a *world* as they are indexed, and whether each settles something."""
    facts = json.loads((LABELS / world / "world.json").read_text(encoding="utf-8"))
    settled, mentioning = set[str](), set[str]()
    for line in (LABELS / world / "open.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        settled.update(*(row.get(side, ()) for side in ("old", "new")))
        if row["kind"] == "mention":
            settled.update(row["gold"])
            mentioning.update(row["wrong"])
    both = settled & mentioning
    texts = {session["key"]: as_talk(session["turns"]) for session in facts["sessions"]}
    return [
        (text, key in settled) for key, text in texts.items() if key in (settled | mentioning) - both and is_talk(text)
    ]


def all_talk(world: str) -> list[str]:
    """Return all sessions of a *world* as they are indexed."""
    facts = json.loads((LABELS / world / "world.json").read_text(encoding="utf-8"))
    return [as_talk(session["turns"]) for session in facts["sessions"]]


def as_talk(turns: Sequence[Sequence[str]]) -> str:
    """Return *turns* as a chunk of talk."""
    return "\n\n".join(_said(turns))


def _said(turns: Sequence[Sequence[str]]) -> Iterator[str]:
    signs = {"u": USER_SAYS, "a": ASSISTANT_SAYS}
    for sort, first, *rest in turns:
        if sort in signs:
            yield f"{signs[sort]}{taken_apart(first)[0]}"
        elif sort == "edit" and (line := replaced_lines(first, rest[0], rest[1])):
            yield f"{EDITED_TO}{line}"


def features(text: str, known: Mapping[str, float] | set[str]) -> Features:
    """Return the features of the talk *text*, as the model weighs them."""
    held = [word for word in words(text) if word in known]
    return {**dict.fromkeys(held, SCALE / sqrt(len(held) or 1)), **form(text), BIAS: 1.0}


def score(text: str, weights: Mapping[str, float]) -> float:
    """Return the log-odds of the talk *text* by *weights*."""
    return sum(value * weights.get(feature, 0.0) for feature, value in features(text, weights).items())


def weights_of(worlds: Sequence[str]) -> dict[str, float]:
    """Return the weights that the sessions of *worlds* teach, both sorts of each world counting alike."""
    counts, places = Counter[str](), defaultdict[str, set[str]](set)
    rows: list[tuple[Features, bool, float]] = []
    for world in worlds:
        for text in all_talk(world):
            for word in words(text):
                counts[word] += 1
                places[word].add(world)
    known = {word for word, count in counts.items() if count >= OFTEN and len(places[word]) == len(worlds)}
    for world in worlds:
        labelled = sessions(world)
        for text, settled in labelled:
            alike = sum(other is settled for _, other in labelled)
            rows.append((features(text, known), settled, 50 / alike))
    return learned(rows)


def learned(rows: Sequence[tuple[Features, bool, float]], shrunk: float = SHRUNK) -> dict[str, float]:
    """Return the weights of a logistic regression on *rows* of features, label and weight, by Nesterov's gradient.

    *shrunk* is the L2 penalty.
    """
    names = sorted({feature for values, *_ in rows for feature in values})
    places = {feature: place for place, feature in enumerate(names)}
    columns = [sorted((places[feature], value) for feature, value in values.items()) for values, *_ in rows]
    steepest = sum(
        weight * sum(value * value for _, value in column) for column, (*_, weight) in zip(columns, rows, strict=True)
    )
    step, speed = 1.0 / (0.25 * steepest + shrunk), 1.0
    weights, ahead = [0.0] * len(names), [0.0] * len(names)
    for _ in range(STEPS):
        slope = [-shrunk * weight for weight in ahead]
        slope[places[BIAS]] = 0.0
        for column, (_, label, weight) in zip(columns, rows, strict=True):
            odds = sum(value * ahead[place] for place, value in column)
            error = weight * (label - 1 / (1 + exp(-odds)))
            for place, value in column:
                slope[place] += error * value
        moved = [weight + step * rise for weight, rise in zip(ahead, slope, strict=True)]
        faster = (1 + sqrt(1 + 4 * speed * speed)) / 2
        ahead = [new + (speed - 1) / faster * (new - old) for new, old in zip(moved, weights, strict=True)]
        weights, speed = moved, faster
    return dict(zip(names, weights, strict=True))


if __name__ == "__main__":
    sys.exit(main())
