"""Learn how the wording of a prompt asks for the past, and write the weights that the prompt hook reads.

The prompts in prompts.jsonl were written for this: the first 2,997 by people who had seen neither the rules nor the
labels that judge them, the others after reading the open halves of prompts4 to prompts6, about other subjects. The open
halves of the labelled prompts are added. The same prompts always give the same weights.
``--without NAME`` leaves a labelled set out and prints how well the others classify it; nothing is written.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp, sqrt
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology.ranking import past_wording  # noqa: E402
from autology.ranking.asking_form import asking_form  # noqa: E402
from autology.ranking.past_wording import BIAS, RUNS, SCALE, SPACED, UNITS, features, is_in_runs  # noqa: E402
from autology.text.tokens import fold  # noqa: E402
from autology.text.user_words import own_words, sentences  # noqa: E402

HERE = Path(__file__).resolve().parent
LABELS = ROOT / "tests" / "labelled"
WEIGHTS = Path(past_wording.__file__).with_name("past_wording.txt")
SHRUNK = 1.5
"""The L2 penalty: from 1 to 10, the area under the curve of the labelled sets differs by at most 0.01, and is highest
from 1 to 2."""
OFTEN = 3
"""Prompts that must have a word for it to be known, and a feature for it to have a weight."""
STEPS = 600
LEAST = 0.18
"""Smaller weights are left out: half of the file, for the same area under the curve within 0.001."""

Prompt = tuple[str, bool]


def main() -> int:
    """Write the weights, or report on a set that is left out."""
    without = sys.argv[sys.argv.index("--without") + 1] if "--without" in sys.argv else ""
    weights = weights_of(all_prompts(without))
    if without:
        report(without, labelled_sets()[without], weights)
    else:
        WEIGHTS.write_text(as_text(weights), encoding="utf-8")
    return 0


def all_prompts(without: str = "") -> list[Prompt]:
    """Return the prompts to learn from: those written for it, and the labelled ones but for the set *without*."""
    labelled = (rows for name, rows in labelled_sets().items() if name != without)
    return [*read(HERE / "prompts.jsonl", "past"), *(row for rows in labelled for row in rows)]


def weights_of(prompts: Sequence[Prompt]) -> dict[str, dict[str, float]]:
    """Return the weights that *prompts* teach, by section of the file."""
    return {
        section: learned([row for row in prompts if is_in_runs(row[0]) is (section == RUNS)], section)
        for section in (SPACED, RUNS)
    }


def labelled_sets() -> dict[str, list[Prompt]]:
    """Return the open halves of the labelled prompts, by name."""
    sets = {name: read(LABELS / f"{name}.jsonl", "past")[0::2] for name in ("prompts", "prompts_later")}
    sets["moment"] = read(LABELS / "moment" / "open.jsonl", "ask")
    for name in ("prompts4", "prompts5", "prompts6"):
        sets[name] = read(LABELS / name / "open.jsonl", "ask")
    return sets


def read(file: Path, label: str) -> list[Prompt]:
    """Return the own words of a file's prompts, and whether each asks for the past.

    Who asks for what was never discussed does ask; where the labels leave it open, the prompt is left out.
    """
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [
        (own_words(row["prompt"]), row[label] in (1, "yes") or row.get("kind") == "never")
        for row in rows
        if row[label] != "maybe"
    ]


def learned(prompts: Sequence[Prompt], section: str) -> dict[str, float]:
    """Return the weights of the features of *prompts*, by logistic regression with Nesterov's accelerated gradient."""
    words = known_words(own for own, _ in prompts) if section == SPACED else frozenset[str]()
    rows = [sorted(features(own, asking_form(own), words)) for own, _ in prompts]
    often = Counter(feature for row in rows for feature in row)
    frequent = sorted(feature for feature, count in often.items() if count >= OFTEN)
    places = {feature: place for place, feature in enumerate(frequent)}
    columns = [[places[feature] for feature in row if feature in places] for row in rows]
    shares = [SCALE / sqrt(max(1, len(row))) for row in columns]
    weights, ahead = [0.0] * (len(frequent) + 1), [0.0] * (len(frequent) + 1)
    step = 1.0 / (0.25 * (SCALE**2 + 1) * len(prompts) / 4 + SHRUNK)
    speed = 1.0
    for _ in range(STEPS):
        gradient = [SHRUNK * weight for weight in ahead]
        gradient[-1] = 0.0
        for row, share, (_, is_past) in zip(columns, shares, prompts, strict=True):
            score = share * sum([ahead[place] for place in row]) + ahead[-1]
            error = 1 / (1 + exp(-max(-30.0, min(30.0, score)))) - is_past
            for place in row:
                gradient[place] += share * error
            gradient[-1] += error
        moved = [weight - step * slope for weight, slope in zip(ahead, gradient, strict=True)]
        faster = (1 + sqrt(1 + 4 * speed * speed)) / 2
        ahead = [new + (speed - 1) / faster * (new - old) for new, old in zip(moved, weights, strict=True)]
        weights, speed = moved, faster
    result = {
        feature: weight
        for feature, weight in zip(frequent, weights, strict=False)
        if abs(weight) >= LEAST or feature in words
    }
    return {BIAS: weights[-1], **result}


def known_words(texts: Iterable[str]) -> frozenset[str]:
    """Return the words that occur in several of *texts*."""
    often = Counter(word for text in texts for word in {word for words in sentences(fold(text)) for word in words})
    return frozenset(word for word, count in often.items() if count >= OFTEN and "\t" not in word)


def as_text(weights: dict[str, dict[str, float]]) -> str:
    """Return the file of *weights*, in hundredths."""
    lines = [
        "# Written by bench/wording/learn.py: features of a prompt's wording, and their weights in hundredths.",
        "",
    ]
    for section, of_section in weights.items():
        lines.append(f"[{section}]")
        lines += [f"{feature}\t{round(weight * UNITS)}" for feature, weight in of_section.items()]
    return "\n".join(lines) + "\n"


def report(name: str, prompts: Sequence[Prompt], weights: dict[str, dict[str, float]]) -> None:
    """Print how well *weights* classify *prompts*."""
    scores = sorted((score(own, weights[RUNS if is_in_runs(own) else SPACED]), is_past) for own, is_past in prompts)
    asking = sum(is_past for _, is_past in scores)
    ranks = sum(rank for rank, (_, is_past) in enumerate(scores, 1) if is_past)
    area = (ranks - asking * (asking + 1) / 2) / (asking * (len(scores) - asking))
    right = sum((value > 0) == is_past for value, is_past in scores)
    print(f"{name}: area under the curve {area:.3f}, {right} right of {len(scores)}")


def score(own: str, weights: dict[str, float]) -> float:
    """Return the log-odds of *own* by *weights*."""
    known = [weights[feature] for feature in features(own, asking_form(own), weights.keys()) if feature in weights]
    return sum(known) * SCALE / sqrt(max(1, len(known))) + weights[BIAS]


if __name__ == "__main__":
    sys.exit(main())
