"""Learn how a prompt goes that settles something, and write the weights that ranking/settling_prompt.py reads.

The prompts are those of the open halves of tests/labelled/sessions, …2, …3 and …4 that a label quotes; prompts that
settled what was noted or reverted later are left out.
``--without NAME`` leaves a world out and prints how well the others tell its prompts apart; nothing is written.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology.core.conversations.mining import moments  # noqa: E402
from autology.model.conversation import ASSISTANT, TOOL, USER, Call, Turn  # noqa: E402
from autology.ranking import settling_prompt  # noqa: E402
from autology.ranking.settling_prompt import UNITS, features  # noqa: E402
from autology.text.language.commitments import content  # noqa: E402
from autology.text.language.sentences import sentences  # noqa: E402
from bench.wording.learn_settling import learned  # noqa: E402

LABELS = ROOT / "tests" / "labelled"
WEIGHTS = Path(settling_prompt.__file__).with_name("settling_prompt.txt")
WORLDS = ("sessions", "sessions2", "sessions3", "sessions4")
SETTLED = ("settled", "rule", "fix")
UNDECIDED = ("noted already", "reverted later")
"""Why a label says that nothing is to be mined where something was settled."""
BESIDE = 0.25
"""The weight of a prompt of which a label says that a part settles nothing: the other half of the labels may say that
the rest does."""
SHRUNK = 1.0
"""The L2 penalty: from 0.5 to 4, the area under the curve of the worlds left out differs by at most 0.02."""
HEAD = "# Written by bench/wording/learn_settling_prompt.py: features of a prompt, and their weights in hundredths."

Prompt = tuple[dict[str, float], bool, float]


def main() -> int:
    """Write the weights, or report on a world that is left out."""
    without = sys.argv[sys.argv.index("--without") + 1] if "--without" in sys.argv else ""
    weights = weights_of([world for world in WORLDS if world != without])
    if without:
        report(without, weights)
    else:
        WEIGHTS.write_text(as_text(weights), encoding="utf-8")
    return 0


def weights_of(worlds: Sequence[str]) -> dict[str, float]:
    """Return the weights that the labelled prompts of *worlds* teach."""
    return learned([prompt for world in worlds for prompt in prompts(world)], SHRUNK)


def as_text(weights: Mapping[str, float]) -> str:
    """Return the file of *weights*, in hundredths."""
    return "\n".join((HEAD, *(f"{name}\t{round(UNITS * weight)}" for name, weight in sorted(weights.items())), ""))


def report(world: str, weights: Mapping[str, float]) -> None:
    """Print how well *weights* tell apart the prompts of a *world*."""
    scores = [
        (sum(value * weights.get(name, 0.0) for name, value in values.items()), settles, weight)
        for values, settles, weight in prompts(world)
    ]
    pairs = [(a > b, v * w) for a, yes, v in scores if yes for b, no, w in scores if not no]
    area = sum(weight for right, weight in pairs if right) / sum(weight for _, weight in pairs)
    right = sum((score > 0) == settles for score, settles, _ in scores)
    print(f"{world}: area under the curve {area:.3f}, {right} right of {len(scores)}")


def prompts(world: str) -> list[Prompt]:
    """Return the features of the labelled prompts of a *world*, whether each settles something, and its weight."""
    lines = (LABELS / world / "open.jsonl").read_text(encoding="utf-8").splitlines()
    labels = [row for row in map(json.loads, lines) if "quote" in row]
    facts = json.loads((LABELS / world / "world.json").read_text(encoding="utf-8"))
    result: list[Prompt] = []
    for session in facts["sessions"]:
        own = [row for row in labels if row["session"] == session["key"]]
        for turn, moment in moments(list(_turns(session["turns"]))):
            quoting = [row for row in own if _quotes(row, turn.text)]
            settles = any(row["kind"] in SETTLED for row in quoting)
            if settles or any(not str(row.get("why")).startswith(UNDECIDED) for row in quoting):
                result.append(
                    (features(moment), settles, 1.0 if settles or _is_all(moment.prompt, quoting) else BESIDE)
                )
    return result


def _quotes(row: Mapping[str, Any], text: str) -> bool:
    return any(re.search(row["quote"], part) for part in (text, *sentences(text)))


def _is_all(prompt: str, quoting: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the labels *quoting* it quote all sentences of a *prompt* that have a content."""
    return all(any(re.search(row["quote"], part) for row in quoting) for part in sentences(prompt) if content(part))


def _turns(turns: Sequence[Sequence[Any]]) -> Iterator[Turn]:
    for at, (sort, *parts) in enumerate(turns):
        calls, failed, text = (), False, ""
        if sort in ("u", "a"):
            text = parts[0]
        elif sort == "edit":
            calls = (Call("Edit", code=parts[2]),)
        else:
            calls, failed = (Call("Bash", parts[0]),), parts[2:] == [True]
        role = {"u": USER, "a": ASSISTANT}.get(sort, ASSISTANT if calls else TOOL)
        yield Turn(str(at), role, text, "", at, "", "", calls=calls, failed=failed)


if __name__ == "__main__":
    sys.exit(main())
