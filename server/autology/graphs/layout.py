"""Deterministic force-directed layout: linked vertices near each other, others apart."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

ROUNDS = 200
"""Iterations: 300 vertices take some 2 s in pure Python."""
GOLDEN = math.pi * (3 - math.sqrt(5))

Point = tuple[float, float]


def layout(size: int, links: Sequence[tuple[int, int]]) -> list[Point]:
    """Return the positions of *size* vertices with these *links*; neighbours are about 1 apart.

    Fruchterman-Reingold, started from a spiral instead of random positions; only nearby vertices repel each other.
    """
    at = [(math.sqrt(n + 0.5) * math.cos(n * GOLDEN), math.sqrt(n + 0.5) * math.sin(n * GOLDEN)) for n in range(size)]
    pairs = sorted({(min(pair), max(pair)) for pair in links if pair[0] != pair[1]})
    for turn in range(ROUNDS):
        heat = 0.5 * math.sqrt(size) * (1 - turn / ROUNDS) ** 2 + 0.01
        at = _moved(at, _pushed(at), pairs, heat)
    return at


def _pushed(at: Sequence[Point]) -> list[list[float]]:
    """Return the repulsion of each vertex by those within a distance of two."""
    cells: dict[tuple[int, int], list[int]] = defaultdict(list)
    for vertex, (x, y) in enumerate(at):
        cells[int(x // 2), int(y // 2)].append(vertex)
    pushed = [[0.0, 0.0] for _ in at]
    for (column, row), members in cells.items():
        near = [other for dx in (-1, 0, 1) for dy in (-1, 0, 1) for other in cells.get((column + dx, row + dy), ())]
        for vertex in members:
            x, y = at[vertex]
            total_x = total_y = 0.0
            for other in near:
                if other == vertex:
                    continue
                dx, dy = x - at[other][0], y - at[other][1]
                square = dx * dx + dy * dy
                if square > 4:
                    continue
                if square < 1e-6:  # coincident vertices are separated by their numbers
                    dx, dy, square = 1e-3 * (vertex - other), 1e-3, 1e-4
                total_x += dx / square
                total_y += dy / square
            pushed[vertex][0] += total_x
            pushed[vertex][1] += total_y
    return pushed


def _moved(
    at: Sequence[Point], forces: Sequence[list[float]], pairs: Sequence[tuple[int, int]], heat: float
) -> list[Point]:
    """Apply springs, repulsion and a pull to the centre, limited to *heat*; return the new positions."""
    for one, other in pairs:
        dx, dy = at[one][0] - at[other][0], at[one][1] - at[other][1]
        length = math.sqrt(dx * dx + dy * dy)
        forces[one][0] -= dx * length
        forces[one][1] -= dy * length
        forces[other][0] += dx * length
        forces[other][1] += dy * length
    moved = []
    for (x, y), (push_x, push_y) in zip(at, forces, strict=True):
        by_x, by_y = push_x - 0.02 * x, push_y - 0.02 * y
        length = math.sqrt(by_x * by_x + by_y * by_y)
        step = min(1.0, heat / length) if length else 0.0
        moved.append((x + by_x * step, y + by_y * step))
    return moved
