"""Storing leaves out what says the same: on labelled pairs, through the store itself."""

from __future__ import annotations

import json
from pathlib import Path

from autology import wire
from autology.core.memory.store import SKIPPED, store

PAIRS = Path(__file__).parents[1] / "data" / "duplicates.jsonl"
BATCH = 100


def test_of_labelled_pairs_those_that_say_the_same_are_left_out_and_hardly_another(tmp_path: Path) -> None:
    """Each pair has a branch of its own: what else is stored neither helps nor harms."""
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    pairs = [pair for pair in pairs if pair["part"] == "last"]
    memories = wire.memories(wire.graph(str(tmp_path)), str(tmp_path))
    skipped = set()
    for at in range(0, len(pairs), BATCH):
        some = list(enumerate(pairs[at : at + BATCH], at))
        for side in ("one", "other"):
            items = []
            for number, pair in some:
                scope = {**pair[side]["scope"], "branch": f"{pair[side]['scope'].get('branch', '')}-{number}"}
                items.append({**pair[side], "scope": scope})
            done = store(memories, items)
            assert done.problems == ()
            if side == "other":
                skipped |= {at + outcome.input_index for outcome in done.outcomes if outcome.status == SKIPPED}
    same = {number for number, pair in enumerate(pairs) if pair["same"]}
    assert len(same) > 50
    assert len(skipped & same) / len(skipped) >= 0.98
    assert len(skipped & same) / len(same) >= 0.85
