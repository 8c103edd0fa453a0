"""Texts with their secrets, and the words in them as examples to learn from."""

from __future__ import annotations

import json
import sysconfig
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from zlib import crc32

from autology.text.redaction import secrets_in
from autology.text.secrets.candidates import candidates
from autology.text.secrets.classifier import BITS
from autology.text.secrets.context_features import context_features
from autology.text.secrets.token_features import token_features
from bench.scorer.forms import GIVING, HARMLESS
from bench.scorer.grammar import beside, drawn
from bench.scorer.slots import emptied, filled
from tests.labelled.secret_forms.halves import cases
from tests.unit.text.secrets import test_forms, test_redaction

ROOT = Path(__file__).resolve().parents[2]
LISTS = ROOT / "tests" / "labelled" / "secrets"
AROUND = ("Hi,\n\n", "fyi\n", "> ", "see below\n\n", "Notes from Monday, version 2.3.1\n\n")
AFTER = ("", "\n\nThanks!\nTom", "\n\nlet me know if it works", "\n")
CHUNK, HEAD = 2_000, 8_000

Span = tuple[int, int]
Text = tuple[str, str, Sequence[str]]
"""The form that a text is held out with, the text, and the secrets in it."""
Rules = Callable[[Sequence[str]], list[list[Span]]]


@dataclass(frozen=True, slots=True)
class Word:
    """A word that may be a secret: where, its features, whether it is one (None: neither), whether a rule found it."""

    start: int
    stop: int
    inner: array[int]
    outer: array[int]
    secret: bool | None
    ruled: bool


@dataclass(frozen=True, slots=True)
class Example:
    """A text with its words; *ruled* is what the rules found."""

    form: str
    text: str
    secrets: Sequence[str]
    ruled: Sequence[Span]
    words: Sequence[Word]


def by_rules(texts: Sequence[str]) -> list[list[Span]]:
    """Return what the rules of this tree find in each of *texts*."""
    return [[(finding.start, finding.stop) for finding in secrets_in(text, scores=False)] for text in texts]


def lists() -> list[Text]:
    """Return the labels of the tests; harmless texts are held out in ten parts."""
    found = []
    for path in sorted(LISTS.glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            label = json.loads(line)
            form = label["form"] if label["secrets"] else f"harmless {number % 10}"
            found.append((f"{path.stem} {form}", label["text"], label["secrets"]))
    return found


def forms(draws: int = 6) -> list[Text]:
    """Return the forms of this folder, filled; each that gives a secret away also with a pointer in its place."""
    found: list[Text] = []
    for form, texts in GIVING.items():
        for text in texts:
            for draw in range(draws):
                rng = Random(f"{text}{draw}")
                some, secrets = filled(text, rng)
                if draw % 3 == 2:
                    some = rng.choice(AROUND) + some + rng.choice(AFTER)
                found.append((form, some, secrets))
            found += [(form, emptied(text, Random(f"empty {text}{draw}")), ()) for draw in range(2)]
    for form, texts in HARMLESS.items():
        found += [
            (f"harmless {form}", filled(text, Random(f"{text}{draw}"))[0], ())
            for text in texts
            for draw in range(3 * draws)
        ]
    return found


def kinds() -> list[Text]:
    """Return the labelled set of the unit tests, and their other texts without a secret."""
    found: list[Text] = [
        (case.name[:12], case.text, [case.secret] if case.secret else [])
        for case in cases()
        if case.secret is None or case.name.startswith("named")
    ]
    return found + 3 * [("harmless", text, ()) for text in (*test_redaction.HARMLESS, *test_forms.HARMLESS)]


def mixed(texts: Sequence[Text], count: int) -> list[Text]:
    """Return some of *texts* between lines of others that hold no secret."""
    harmless = [case.text for case in cases() if case.secret is None and len(case.text) < 300]
    rng = Random(1)
    found: list[Text] = []
    for _ in range(count):
        form, text, secrets = rng.choice(texts)
        lines = [rng.choice(harmless) for _ in range(rng.randrange(1, 4))]
        lines.insert(rng.randrange(len(lines) + 1), text)
        found.append((form, rng.choice(("\n", "\n", "\n\n")).join(lines), secrets))
    return found


def grammar(names: Sequence[str], count: int = 16_000) -> list[Text]:
    """Return texts drawn from the grammar; *names* are words of real text."""
    return [
        (noun, text, secrets) for text, secrets, noun in (drawn(Random(f"text {at}"), names) for at in range(count))
    ]


def lines(texts: Iterable[Text]) -> list[tuple[str, list[str]]]:
    """Return the lines of *texts* with a word that may be a secret by what it is made of, and those words."""
    found = {}
    for line in {line.strip() for _, text, _ in texts for line in text.splitlines()}:
        if 12 <= len(line) <= 160 and (words := [line[start:stop] for start, stop, _ in candidates(line)]):
            found[line] = words
    return sorted(found.items())


def near_real(some: Sequence[tuple[str, list[str]]], count: int = 6_000) -> list[Text]:
    """Return lines of real text beside words for secrets."""
    rng = Random(2)
    return [("real", beside(rng.choice(some)[0], rng), ()) for _ in range(count)]


def files(folders: Iterable[Path]) -> list[Path]:
    """Return the files of real text: this tree's, Python's, and those of *folders*, in an order of their own."""
    library = Path(sysconfig.get_path("stdlib"))
    found = [*(ROOT / "server").rglob("*.py"), *(ROOT / "docs").rglob("*.md")]
    found += [path for path in library.glob("*/*.py") if not {"test", "idlelib", "encodings"} & set(path.parts)]
    found += [*library.glob("*.py"), *Path(sysconfig.get_path("purelib")).rglob("*.py")]
    for folder in folders:
        found += [path for path in folder.rglob("*") if path.suffix in (".md", ".py", ".txt", ".json", ".jsonl")]
    found = sorted({path for path in found if path.is_file() and path.stat().st_size < 2_000_000})
    return sorted(found, key=lambda path: crc32(path.name.encode() + path.parent.name.encode()))


def real(paths: Iterable[Path]) -> list[Text]:
    """Return the heads of files in passages, none of which holds a secret."""
    texts = (path.read_text(encoding="utf-8", errors="replace")[:HEAD] for path in paths)
    return [("real", text[at : at + CHUNK], ()) for text in texts for at in range(0, len(text), CHUNK)]


def read(texts: Sequence[Text], surprise: Callable[[str], float], rules: Rules = by_rules) -> list[Example]:
    """Return *texts* as examples."""
    found = rules([text for _, text, _ in texts])
    return [
        Example(form, text, secrets, ruled, list(_words(text, secrets, ruled, surprise)))
        for (form, text, secrets), ruled in zip(texts, found, strict=True)
    ]


def _words(
    text: str, secrets: Sequence[str], ruled: Sequence[Span], surprise: Callable[[str], float]
) -> Iterator[Word]:
    low = text.replace("\u0130", "I").lower()
    spans = [span for secret in secrets for span in _places(text, secret)]
    for start, stop, kind in candidates(text):
        inner, sort = token_features(text[start:stop], kind, surprise)
        outer = context_features(text, low, start, stop, sort)
        if outer is None:
            continue
        known = any(first < stop and last > start for first, last in ruled)
        secret = _label(start, stop, spans)
        yield Word(start, stop, hashed(inner), hashed(outer), None if known and secret is False else secret, known)


def _places(text: str, secret: str) -> Iterator[Span]:
    at = text.find(secret)
    while at >= 0:
        yield at, at + len(secret)
        at = text.find(secret, at + 1)


def _label(start: int, stop: int, spans: Sequence[Span]) -> bool | None:
    """Return whether a word is a secret; None where it is a part of one, or holds more than one."""
    for first, last in spans:
        if start < last and stop > first:
            shared = min(stop, last) - max(start, first)
            return True if shared >= 0.75 * (stop - start) and shared >= 0.6 * (last - first) else None
    return False


def hashed(features: Iterable[str]) -> array[int]:
    """Return the places of *features* in the table."""
    return array("H", sorted({crc32(feature.encode()) & ((1 << BITS) - 1) for feature in features}))
