"""A trained table as the file that is shipped: turned so that signs tell most, rounded to bytes."""

from __future__ import annotations

import json
import sys
import zlib
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "server"))
from autology.embedding.static import MAGIC

SPREAD = 6.0  # a row's byte is its coordinate over the table's deviation times 127 over this; the rest is cut


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
    """Return *table* as whole numbers from -127 to 127 on one scale for all rows."""
    return np.clip(np.rint(table * (127 / SPREAD / np.sqrt((table**2).mean()))), -127, 127).astype(np.int8)


def write(path: Path, name: str, model: str, words: list[str], table: np.ndarray) -> None:
    """Write the shipped form of a table of bytes."""
    listed = "\n".join(words).encode("ascii")
    body = listed + (table.astype(np.int16) + 128).astype(np.uint8).tobytes()
    about = {
        "name": name,
        "model": model,
        "dims": table.shape[1],
        "rows": table.shape[0],
        "words": len(listed),
        "checksum": zlib.crc32(body),
    }
    path.write_bytes(MAGIC + json.dumps(about).encode() + b"\n" + body)
