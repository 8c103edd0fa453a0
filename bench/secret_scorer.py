"""Learns the table of autology.text.secrets.classifier, or estimates its recall on unseen forms.

    python bench/secret_scorer.py evaluate [--rules TREE] [FOLDER…]
    python bench/secret_scorer.py train [FOLDER…]

Each fold holds whole forms out. TREE is another checkout whose rules are taken instead of this one's: of the lists of
the tests, which this tree's rules have been mended by, rules from before say more. A FOLDER holds more real text.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from zlib import crc32

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology.text.secrets.classifier import TRIGRAMS, FeatureWeights, scored  # noqa: E402
from bench.scorer import examples as made  # noqa: E402
from bench.scorer.examples import Example, Span  # noqa: E402
from bench.scorer.learning import Row, Weights, learned, rows, trigrams  # noqa: E402
from bench.scorer.slots import WORDS  # noqa: E402

TABLE = ROOT / "server" / "autology" / "text" / "secrets" / "scored.bin"
FOLDS = 5
LIMITS = (-1.2, -1.0, -0.8, -0.5, 0.0, 0.5, 1.0, 2.0)
LIMIT = -0.5
"""The score above which a word is taken out."""
FILES = 1_800
"""Files of real text that are learned from; as many others are held out for the share that is altered."""
GATE_SHARE = 0.01
"""Secrets that may be passed over because the word itself scores too low, before its surroundings are looked at."""
TELLING = ("secret", "token", "pass", "key", "auth", "cred", "pw", "login", "code")
"""Words near which a long text is looked at."""
_ELSEWHERE = """
import json, sys
sys.path.insert(0, sys.argv[1] + "/server")
from autology.text.redaction import secrets_in
json.dump([[(found[1], found[2]) for found in secrets_in(text)] for text in json.load(sys.stdin)], sys.stdout)
"""


def main() -> int:
    """Print the figures, or write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("evaluate", "train"))
    parser.add_argument("--rules", type=Path)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("folders", nargs="*", type=Path)
    chosen = parser.parse_intermixed_args()
    paths = made.files(chosen.folders)
    words = trigrams([*(path.read_text("utf-8", "replace")[:200_000] for path in paths[::3]), " ".join(WORDS * 20)])
    surprise = FeatureWeights(b"scored 0 1 0 0\n" + words).surprise
    forms = made.forms()
    real = made.real(paths[:FILES])
    lines = made.lines(real)
    names = sorted({word for _, words in lines for word in words})
    always = [
        *rows(made.read(made.kinds(), surprise), 1.0),
        *rows(made.read(made.grammar(names), surprise), 0.5),
        *rows(made.read(made.near_real(lines), surprise), 1.0),
        *rows(made.read(real, surprise), 1.5),
    ]
    own = [*made.read(forms, surprise), *made.read(made.mixed(forms, 2_500), surprise)]
    listed = made.read(made.lists(), surprise, _rules_of(chosen.rules))
    if chosen.command == "train":
        data = [*always, *rows(own, 1.0), *rows(listed, 2.0)]
        TABLE.write_bytes(_written(learned(data), words, [*own, *listed], LIMIT))
        print(f"{TABLE.relative_to(ROOT)}: {TABLE.stat().st_size} bytes, from {len(data)} words")
        return 0
    _evaluate(always, own, listed, made.read(made.real(paths[FILES : FILES + 800]), surprise), words, chosen.verbose)
    return 0


def _rules_of(tree: Path | None) -> made.Rules:
    if tree is None:
        return made.by_rules

    def rules(texts: Sequence[str]) -> list[list[Span]]:
        command = [sys.executable, "-c", _ELSEWHERE, str(tree)]
        ended = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
        return [[(start, stop) for start, stop in spans] for spans in json.loads(ended.stdout)]

    return rules


def _evaluate(
    always: list[Row], own: list[Example], listed: list[Example], real: list[Example], words: bytes, verbose: bool
) -> None:
    size = sum(len(example.text) for example in real) / 1e5
    sums = {limit: [0] * 13 for limit in LIMITS}
    for fold in range(FOLDS):
        seen, unseen = _split(own, fold), _split(listed, fold)
        weights = learned([*always, *rows(seen[0], 1.0), *rows(unseen[0], 2.0)])
        for limit in LIMITS:
            table = FeatureWeights(_written(weights, words, [*seen[0], *unseen[0]], limit))
            figures = [*_figures(unseen[1], table, verbose and limit == LIMIT), *_figures(seen[1], table)]
            altered = sum(len(_scored(example, table)) for example in real)
            sums[limit] = [total + one for total, one in zip(sums[limit], [*figures, altered], strict=True)]
    print(
        "limit  lists: missed by rules, and with scores; altered likewise | forms: likewise | real: altered per 100 KB"
    )
    for limit, figures in sums.items():
        shares = [f"{figures[at]:4} {figures[at + 1]:4} of {figures[at + 2]:4}" for at in range(0, 12, 3)]
        print(f"{limit:5}  {'; '.join(shares[:2])} | {'; '.join(shares[2:])} | {figures[12] / FOLDS / size:.2f}")


def _scored(example: Example, table: FeatureWeights) -> list[Span]:
    low = example.text.replace("\u0130", "I").lower()
    ruled = [("", start, stop) for start, stop in example.ruled]
    return [(start, stop) for _, start, stop in scored(example.text, low, TELLING, ruled, table)]


def _split(examples: list[Example], fold: int) -> tuple[list[Example], list[Example]]:
    held: Callable[[Example], bool] = lambda example: crc32(example.form.encode()) % FOLDS == fold  # noqa: E731
    return [one for one in examples if not held(one)], [one for one in examples if held(one)]


def _figures(examples: list[Example], table: FeatureWeights, verbose: bool = False) -> list[int]:
    """Return how many texts are missed by rules, with scores, and of how many; then how many altered likewise."""
    sums = [0] * 6
    for example in examples:
        spans = _scored(example, table)
        if example.secrets:
            wrong = [_through(example, cut) for cut in (example.ruled, [*example.ruled, *spans])]
        else:
            wrong = [bool(example.ruled), bool(example.ruled or spans)]
        at = 0 if example.secrets else 3
        sums[at : at + 3] = [sums[at] + wrong[0], sums[at + 1] + wrong[1], sums[at + 2] + 1]
        if verbose and wrong[1] and (spans or example.secrets):
            print(example.form, [example.text[first:last] for first, last in spans], repr(example.text[:160]))
    return sums


def _through(example: Example, spans: Sequence[Span]) -> bool:
    """Whether a secret of *example* comes through where *spans* are taken out."""
    letters = list(example.text)
    for start, stop in spans:
        letters[start:stop] = "\0" * (stop - start)
    left = "".join(letters)
    return any(secret in left for secret in example.secrets)


def _written(weights: Weights, words: bytes, examples: list[Example], limit: float) -> bytes:
    """Return the table as it is shipped: a header, the surprise of letters, and a byte a weight."""
    assert len(words) == TRIGRAMS
    scale = sorted(map(abs, weights.each))[-20] / 127
    each = bytes(max(-127, min(127, round(weight / scale))) & 0xFF for weight in weights.each)
    secret = [word for example in examples for word in example.words if word.secret and weights.score(word) > limit]
    inner = sorted(weights.inner(word) for word in secret)
    gate = inner[int(len(inner) * GATE_SHARE)]
    return f"scored {weights.bias:.4f} {scale:.6f} {gate:.4f} {limit:.4f}\n".encode() + words + each


if __name__ == "__main__":
    raise SystemExit(main())
