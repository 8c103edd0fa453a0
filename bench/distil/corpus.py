"""Free text to teach with: functions, prose, talk and definitions from openly licensed packages.

    python corpus.py PACKAGES_DIR WORDNET_DIR OUT.jsonl

One JSON line a text: {"kind", "text"} and, for two texts that belong together (a docstring and
its code, a remark and its answer), {"kind", "text", "pair"}. Order and choice are seeded.
"""

from __future__ import annotations

import ast
import json
import random
import re
import sys
import sysconfig
import warnings
import zipfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

LONGEST = 1100  # characters; the model reads 256 tokens
_TAG = re.compile(r"<[^>]+>")
_SPACE = re.compile(r"\s+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
QUOTA = {  # texts of each kind; measured: about 11 million tokens, 20 minutes of the model on one core
    "docstring": 45_000,
    "code": 45_000,
    "body": 35_000,
    "name": 10_000,
    "prose": 50_000,
    "sentence": 50_000,
    "phrase": 25_000,
    "turn": 35_000,
    "talk": 25_000,
    "gloss": 35_000,
}
PER_SOURCE = 0.08  # of a kind's quota, so that no one project colours it


def main(packages: Path, wordnet: Path, out: Path) -> None:
    rng = random.Random(7)
    found: dict[str, dict[str, dict]] = {}
    for source, item in gather(packages, wordnet, rng):
        text = item["text"].strip()[:LONGEST]
        if len(text) < 8 or not _mostly_latin(text):
            continue
        item["text"] = text
        item["source"] = source
        found.setdefault(item["kind"], {}).setdefault(_key(text), item)
    with out.open("w", encoding="utf-8", newline="\n") as lines:
        for kind, quota in QUOTA.items():
            chosen = _chosen(list(found.get(kind, {}).values()), kind, quota, rng)
            print(kind, len(found.get(kind, {})), "->", len(chosen), file=sys.stderr)
            for item in chosen:
                lines.write(json.dumps(item, ensure_ascii=False) + "\n")


def gather(packages: Path, wordnet: Path, rng: random.Random) -> Iterator[tuple[str, dict]]:
    """Yield (source, item) for every text found."""
    for path in sorted(packages.glob("*.whl")):
        with zipfile.ZipFile(path) as wheel:
            for name in sorted(wheel.namelist()):
                yield from _member(path.name.split("-")[0], name, wheel, rng)
    library = Path(sysconfig.get_paths()["stdlib"])
    for path in sorted(library.rglob("*.py")):
        if "site-packages" not in path.parts and "test" not in path.parts:
            for item in python_texts(path.read_bytes(), rng):
                yield "stdlib", item
    for part in ("noun", "verb", "adj", "adv"):
        for line in (wordnet / f"data.{part}").read_text(encoding="utf-8").splitlines():
            if not line.startswith("  "):
                yield f"wordnet-{line[:7]}", _gloss(line)


def _member(source: str, name: str, wheel: zipfile.ZipFile, rng: random.Random) -> Iterator[tuple[str, dict]]:
    if name.endswith(".py") and wheel.getinfo(name).file_size < 1_000_000 and "/_vendor/" not in name:
        for item in python_texts(wheel.read(name), rng):
            yield source, item
    elif name.endswith("chitchat_dataset/dataset.json"):
        for number, item in enumerate(talk_texts(json.loads(wheel.read(name)), rng)):
            yield f"chat-{number % 20}", item
    elif name.endswith(("METADATA", ".md", ".rst")):
        for item in prose_texts(wheel.read(name).decode("utf-8", "replace"), rng):
            yield source, item
    elif source == "botocore" and name.endswith("service-2.json.gz"):
        import gzip

        documented = re.findall(r'"documentation":"((?:[^"\\]|\\.)*)"', gzip.decompress(wheel.read(name)).decode())
        rng.shuffle(documented)
        service = name.split("/")[-3]
        for text in documented[:120]:
            for item in prose_texts(_SPACE.sub(" ", _TAG.sub(" ", json.loads(f'"{text}"'))), rng):
                yield f"botocore-{service}", item


def python_texts(data: bytes, rng: random.Random) -> Iterator[dict]:
    """Yield what a Python file says: functions with and without their docstring, and its prose."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            source = data.decode("utf-8")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = source.splitlines()
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)):
            continue
        doc = ast.get_docstring(node) or ""
        if doc:
            yield from prose_texts(doc, rng)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and len(node.body) > 1 and doc:
            yield from _function(node, doc, lines)


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef, doc: str, lines: list[str]) -> Iterator[dict]:
    whole = "\n".join(line[node.col_offset :] for line in lines[node.lineno - 1 : node.end_lineno])
    first = _SPACE.sub(" ", doc.split("\n\n", maxsplit=1)[0]).strip()
    after = node.body[0].end_lineno or node.lineno
    head = lines[node.lineno - 1 : node.body[0].lineno - 1]
    body = "\n".join(line[node.col_offset :] for line in head + lines[after : node.end_lineno])
    if not 40 < len(body) < 4000 or len(first.split()) < 3:
        return
    yield {"kind": "docstring", "text": first[:300], "pair": body[:LONGEST]}
    yield {"kind": "code", "text": whole}
    yield {"kind": "body", "text": body}
    words = [word for word in node.name.strip("_").split("_") if word]
    if len(words) > 1:
        yield {"kind": "name", "text": " ".join(words), "pair": body[:LONGEST]}


def prose_texts(text: str, rng: random.Random) -> Iterator[dict]:
    """Yield paragraphs, some of their sentences, and phrases the length of a query."""
    for paragraph in re.split(r"\n\s*\n", text):
        words = paragraph.split()
        if len(words) < 8 or sum(word.isalpha() for word in words) < 0.6 * len(words):
            continue
        line = " ".join(words)
        yield {"kind": "prose", "text": line}
        sentences = [s for s in _SENTENCE.split(line) if 5 <= len(s.split()) <= 50]
        if sentences:
            sentence = rng.choice(sentences)
            yield {"kind": "sentence", "text": sentence}
            if rng.random() < 0.5:
                part = sentence.split()
                start = rng.randrange(max(1, len(part) - 4))
                yield {"kind": "phrase", "text": " ".join(part[start : start + rng.randint(3, 9)])}


def talk_texts(conversations: dict, rng: random.Random) -> Iterator[dict]:
    """Yield single turns (with the next as their pair) and stretches of several."""
    for conversation in conversations.values():
        turns = [" ".join(m["text"] for m in turn).strip() for turn in conversation["messages"]]
        turns = [turn for turn in turns if turn]
        for turn, answer in pairwise(turns):
            if len(turn.split()) >= 5:
                yield {"kind": "turn", "text": turn, "pair": answer}
        for start in range(0, len(turns), 6):
            span = turns[start : start + rng.randint(2, 8)]
            yield {"kind": "talk", "text": "\n".join(span)}


def _gloss(line: str) -> dict:
    fields, _, gloss = line.partition(" | ")
    parts = fields.split()
    words = [w.replace("_", " ") for w in parts[4 : 4 + 2 * int(parts[3], 16) : 2]]
    return {"kind": "gloss", "text": f"{', '.join(words)}: {gloss.strip()}"}


def _chosen(items: list[dict], kind: str, quota: int, rng: random.Random) -> list[dict]:
    rng.shuffle(items)
    most = max(200, int(quota * PER_SOURCE))
    taken: dict[str, int] = {}
    chosen = []
    for item in items:
        source = item["source"] if kind != "gloss" else item["text"][:9]
        if taken.get(source, 0) < most and len(chosen) < quota:
            taken[source] = taken.get(source, 0) + 1
            chosen.append(item)
    return chosen


def _mostly_latin(text: str) -> bool:
    return sum(c.isascii() for c in text) > 0.9 * len(text)


def _key(text: str) -> str:
    return _SPACE.sub(" ", text.lower())[:200]


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
