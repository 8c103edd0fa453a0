"""Storing leaves out what says the same: on labelled pairs, through the store itself."""

from __future__ import annotations

import json
from pathlib import Path

from autology.core.memory.memories import Memories
from autology.core.memory.store import store
from autology.core.memory.store_result import SKIPPED, STORED
from autology.wire.project import Project

PAIRS = Path(__file__).parents[3] / "labelled" / "duplicates.jsonl"
BATCH = 100


def test_of_labelled_pairs_only_duplicates_are_skipped_with_few_errors(tmp_path: Path) -> None:
    """Each pair has a branch of its own: what else is stored neither helps nor harms."""
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    pairs = [pair for pair in pairs if pair["part"] == "last"]
    memories = Project(str(tmp_path)).memories
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


def test_duplicates_stored_a_moment_ago_by_another_server_are_found(tmp_path: Path) -> None:
    def stored(memories: Memories, content: str) -> str:
        scope = {"org": "acme", "project": "shop"}
        [outcome] = store(memories, [{"kind": "observation", "content": content, "scope": scope}]).outcomes
        return outcome.status

    one, other = (Project(str(tmp_path)).memories for _ in range(2))
    assert stored(one, "The cache of the parser holds 500 entries.") == STORED
    assert stored(other, "Images are resized when they are uploaded.") == STORED
    assert stored(one, "Uploads larger than 2 GB fail in Safari.") == STORED
    assert stored(other, "In Safari, uploads larger than 2 GB fail.") == SKIPPED
    assert stored(one, "When they are uploaded, images are resized.") == SKIPPED


def test_items_of_narrower_scopes_do_not_hide_the_one_that_says_the_same(tmp_path: Path) -> None:
    memories = Project(str(tmp_path)).memories
    message = "The cache of the parser holds 500 entries."
    scopes = [{"org": "acme", "project": "shop"}, *({"org": "acme", "project": f"shop-{n}"} for n in range(5))]
    items = [{"kind": "observation", "content": message, "scope": scope} for scope in scopes]
    assert {outcome.status for outcome in store(memories, items).outcomes} == {STORED}
    wide = [{"kind": "observation", "content": message, "scope": {"org": "acme"}}]
    assert [outcome.status for outcome in store(memories, wide).outcomes] == [STORED]
    again = [{**wide[0], "content": "The parser's cache holds 500 entries."}]
    assert [outcome.status for outcome in store(memories, again).outcomes] == [SKIPPED]
