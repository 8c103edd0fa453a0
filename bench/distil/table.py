"""A trained table as the file that is shipped: turned so that signs tell most, rounded to small numbers."""

from __future__ import annotations

import json
import sys
import zlib
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "server"))
from autology.embedding.static import MAGIC, MOST, SHIFT

SPREAD = 6.0  # deviations of the table that the largest number stands for; what is over is cut


def turned(table: np.ndarray, samples: np.ndarray, rounds: int = 50) -> np.ndarray:
    """Return *table* rotated (iterative quantization) so that the signs of *samples* lose least."""
    rng = np.random.default_rng(5)
    spin = np.linalg.qr(rng.normal(size=(table.shape[1], table.shape[1])))[0]
    for _ in range(rounds):
        signs = np.sign(samples @ spin)
        left, _, right = np.linalg.svd(samples.T @ signs)
        spin = left @ right
    return table @ spin.astype(np.float32)


def rounded(table: np.ndarray) -> np.ndarray:
    """Return *table* as whole numbers from -MOST to MOST on one scale for all rows."""
    return np.clip(np.rint(table * (MOST / SPREAD / np.sqrt((table**2).mean()))), -MOST, MOST).astype(np.int8)


def write(path: Path, name: str, model: str, words: list[str], table: np.ndarray) -> None:
    """Write the shipped form of a table of small numbers."""
    listed = "\n".join(words).encode("ascii")
    body = listed + (table + np.int8(SHIFT)).astype(np.uint8).tobytes()
    about = {
        "name": name,
        "model": model,
        "dims": table.shape[1],
        "rows": table.shape[0],
        "words": len(listed),
        "checksum": zlib.crc32(body),
    }
    path.write_bytes(MAGIC + json.dumps(about).encode() + b"\n" + body)
