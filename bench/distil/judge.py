"""How well a table does beside a plain word search: nDCG@10 of words, meaning and both, on labelled sets.

    python judge.py SHARED_BENCH CACHE.pickle TABLE

SHARED_BENCH holds evaluate's data.py, metrics.py and data/. The word search is a stand-in for the
index's own: FTS5, Porter, OR, passages of 200 words, a table of titles, adjacent pairs; its answers
are kept in CACHE, as are the passages.
"""

from __future__ import annotations

import pickle
import re
import sqlite3
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "server"))
from autology.text.markdown.passages import TARGET, passages
from autology.text.tokens import STOP_WORDS, index_text

SETS = ("cranfield", "cosqa", "links_keps", "locomo_session", "locomo_turn")
DEPTH = 100


def prepared(shared: Path, cache: Path) -> dict:
    """Return set -> list of groups: passages, their documents, queries with their word candidates."""
    if cache.exists():
        return pickle.loads(cache.read_bytes())
    sys.path.insert(0, str(shared))
    import data

    sets = {}
    for name in SETS:
        labelled = data.load(shared / "data", name)
        groups = []
        for docs, queries in labelled.groups().values():
            groups.append(_group(docs, queries))
            print(name, len(groups), file=sys.stderr)
        sets[name] = {"groups": groups, "qrels": labelled.qrels}
    cache.write_bytes(pickle.dumps(sets))
    return sets


def _group(docs: list[dict], queries: list[dict]) -> dict:
    texts, owners, titles, heads = [], [], [], []
    for number, doc in enumerate(docs):
        for heading, text in _merged(doc["text"]):
            texts.append(text)
            heads.append(heading)
            owners.append(number)
        titles.append(doc["title"])
    db = sqlite3.connect(":memory:")
    db.execute("create virtual table body using fts5(t, content='', tokenize='porter unicode61 remove_diacritics 2')")
    db.execute("create virtual table title using fts5(t, content='', tokenize='porter unicode61 remove_diacritics 2')")
    db.execute("create virtual table head using fts5(t, content='', tokenize='porter unicode61 remove_diacritics 2')")
    db.executemany("insert into head(rowid, t) values(?, ?)", ((i, index_text(h)) for i, h in enumerate(heads)))
    rows = (f"{titles[owners[i]]} {heads[i]} {texts[i]}" for i in range(len(texts)))
    db.executemany("insert into body(rowid, t) values(?, ?)", ((i, index_text(row)) for i, row in enumerate(rows)))
    db.executemany("insert into title(rowid, t) values(?, ?)", ((i, index_text(t)) for i, t in enumerate(titles)))
    asked = []
    for query in queries:
        excluded = {i for i, doc in enumerate(docs) if doc["id"] in query.get("exclude", ())}
        asked.append(
            {"id": query["id"], "text": query["text"], "exclude": excluded, "words": _words(db, query["text"], owners)}
        )
    return {
        "texts": texts,
        "heads": heads,
        "owners": np.array(owners),
        "titles": titles,
        "ids": [doc["id"] for doc in docs],
        "queries": asked,
    }


def _merged(text: str) -> list[tuple[str, str]]:
    """The passages of *text*, short neighbours put together up to 200 words."""
    out: list[tuple[str, str]] = []
    for passage in passages(text):
        if out and len(out[-1][1]) + len(passage.text) <= TARGET:
            out[-1] = (out[-1][0], out[-1][1] + passage.text)
        else:
            out.append((passage.heading, passage.text))
    return out


def _words(db: sqlite3.Connection, text: str, owners: list[int]) -> list[dict[int, float]]:
    """Return document -> score for each leg of the word search: passages, titles, headings, pairs."""
    terms = [t for t in dict.fromkeys(re.findall(r"\w+", index_text(text))) if t not in STOP_WORDS]
    pairs = [f'"{a} {b}"' for a, b in pairwise(terms)]
    any_of = " OR ".join(f'"{t}"' for t in terms)
    legs = []
    for table, match in (("body", any_of), ("title", any_of), ("head", any_of), ("body", " OR ".join(pairs))):
        best: dict[int, float] = {}
        if match:
            sql = f"select rowid, -bm25({table}) from {table} where {table} match ? order by rank limit 1000"
            for row, score in db.execute(sql, (match,)):
                doc = row if table == "title" else owners[row]
                best[doc] = max(best.get(doc, 0.0), score)
        legs.append(best)
    return legs


WORTH = (1.0, 0.25, 0.0, 0.1)


def word_run(legs: list[dict[int, float]], worth=WORTH) -> dict[int, float]:
    total: dict[int, float] = {}
    for best, weight in zip(legs, worth, strict=True):
        top = max(best.values(), default=1.0) or 1.0
        for doc, score in best.items():
            total[doc] = total.get(doc, 0.0) + weight * score / top
    return dict(sorted(total.items(), key=lambda kv: -kv[1])[: DEPTH + 20])


def scaled(scores: dict[int, float]) -> dict[int, float]:
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    return {d: (s - low) / (high - low) if high > low else 1.0 for d, s in scores.items()}


def fused(words: dict[int, float], meaning: dict[int, float], share: float) -> list[int]:
    a, b = scaled(words), scaled(meaning)
    total = {d: (1 - share) * a.get(d, 0.0) + share * b.get(d, 0.0) for d in a.keys() | b.keys()}
    return sorted(total, key=lambda d: -total[d])


def ndcg(ranked: list[str], wanted: dict[str, int]) -> float:
    gains = sum(wanted.get(d, 0) / np.log2(i + 2) for i, d in enumerate(ranked[:10]))
    ideal = sum(g / np.log2(i + 2) for i, g in enumerate(sorted(wanted.values(), reverse=True)[:10]))
    return gains / ideal if ideal else 0.0


def judged(sets: dict, encode, shares=(0.2, 0.3, 0.4), head: bool = True) -> dict[str, dict[str, float]]:
    """Return set -> leg -> nDCG@10; *encode* gives unit rows (float32) for a list of texts."""
    table: dict[str, dict[str, float]] = {}
    for name, one in sets.items():
        sums: dict[str, list[float]] = {}
        for group in one["groups"]:
            owners, ids = group["owners"], group["ids"]
            shown = [
                f"{group['titles'][owners[i]]} {group['heads'][i]}\n{t}" if head else t
                for i, t in enumerate(group["texts"])
            ]
            rows = encode(shown)
            asked = encode([q["text"] for q in group["queries"]])
            for query, vector in zip(group["queries"], asked, strict=True):
                near = rows @ vector
                best = np.full(len(ids), -9.0, np.float32)
                np.maximum.at(best, owners, near)
                top = np.argsort(-best)[: DEPTH + 20]
                meaning = {int(d): float(best[d]) for d in top if d not in query["exclude"] and best[d] > -9}
                meaning = dict(list(meaning.items())[:DEPTH])
                words = {d: s for d, s in word_run(query["words"]).items() if d not in query["exclude"]}
                words = dict(list(words.items())[:DEPTH])
                wanted = one["qrels"][query["id"]]
                runs = {"words": list(words), "meaning": list(meaning)}
                runs |= {f"{share:.1f}": fused(words, meaning, share) for share in shares}
                for leg, run in runs.items():
                    sums.setdefault(leg, []).append(ndcg([ids[d] for d in run], wanted))
        table[name] = {leg: float(np.mean(values)) for leg, values in sums.items()}
    table["MEAN"] = {leg: float(np.mean([row[leg] for row in table.values()])) for leg in next(iter(table.values()))}
    return table


def shown(table: dict[str, dict[str, float]]) -> str:
    legs = list(table["MEAN"])
    return "\n".join(
        [f"{'':16}" + " ".join(f"{leg:>8}" for leg in legs)]
        + [f"{name:16}" + " ".join(f"{row[leg]:8.3f}" for leg in legs) for name, row in table.items()]
    )


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "server"))
    from autology.embedding.static import StaticEncoder

    encoder = StaticEncoder(sys.argv[3])

    def unit(texts: list[str]) -> np.ndarray:
        rows = np.frombuffer(b"".join(encoder.encode(texts)), np.int8).reshape(len(texts), -1).astype(np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)

    print(shown(judged(prepared(Path(sys.argv[1]), Path(sys.argv[2])), unit)))
