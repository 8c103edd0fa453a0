"""Rendering a picture as text: trees in box characters, followed by the remaining links."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from autology.core.atlas.picture import Picture
from autology.model.entry import CLIENT_MEMORY, DOCUMENT, INSTRUCTION
from autology.render.graph.data import labels
from autology.text.sanitising import clean_line

LABEL = 70
Style = Callable[[str, str], str]
"""Returns a text in a style, if the terminal supports it."""
_SHORT = 8


@dataclass(frozen=True, slots=True)
class _Branch:
    vertex: int
    link: str
    lead: str


def tree(picture: Picture, styled: Style) -> Iterator[str]:
    """Yield the lines of *picture*: breadth-first trees from its centre, or from the most linked vertices."""
    neighbours: list[list[tuple[int, str]]] = [[] for _ in picture.vertices]
    for source, type, target in picture.links:
        neighbours[source].append((target, f"—[{type}]→"))
        neighbours[target].append((source, f"←[{type}]—"))
    names = _labels(picture, styled)
    children, parents = _spanning_trees(picture, neighbours)
    for root in [vertex for vertex in range(len(picture.vertices)) if vertex not in parents]:
        yield names[root]
        yield from _tree_lines(root, children, names, styled)
    pairs = {(min(pair), max(pair)) for pair in parents.items()}
    others = [link for link in picture.links if (min(link[0], link[2]), max(link[0], link[2])) not in pairs]
    if others:
        yield ""
        yield styled("Also linked", "bold")
    for source, type, target in others:
        yield f"  {names[source]} {styled(f'—[{type}]→', 'dim')} {names[target]}"


def _labels(picture: Picture, styled: Style) -> list[str]:
    names = []
    for vertex, name in zip(picture.vertices, labels(picture.vertices, LABEL), strict=True):
        short = (
            clean_line(vertex.id, LABEL)
            if vertex.type in (DOCUMENT, INSTRUCTION, CLIENT_MEMORY)
            else vertex.id[:_SHORT]
        )
        facts = vertex.type if vertex.type == "tag" else f"{vertex.type}, {short}"
        names.append(f"{styled(name, 'bold')} {styled(f'({facts})', 'cyan')}")
    return names


def _spanning_trees(
    picture: Picture, neighbours: list[list[tuple[int, str]]]
) -> tuple[dict[int, list[tuple[int, str]]], dict[int, int]]:
    """Return every vertex's children with their links, and every child's parent."""
    order = sorted(range(len(picture.vertices)), key=lambda vertex: (-len(neighbours[vertex]), vertex))
    if picture.centred:
        order.insert(0, 0)
    children: dict[int, list[tuple[int, str]]] = {}
    parents: dict[int, int] = {}
    visited: set[int] = set()
    for root in order:
        if root in visited:
            continue
        visited.add(root)
        queue = [root]
        for vertex in queue:  # grows as it is walked
            for end, link in sorted(
                neighbours[vertex], key=lambda item: (item[1], picture.vertices[item[0]].title, item[0])
            ):
                if end not in visited:
                    visited.add(end)
                    parents[end] = vertex
                    children.setdefault(vertex, []).append((end, link))
                    queue.append(end)
    return children, parents


def _tree_lines(
    root: int, children: dict[int, list[tuple[int, str]]], names: list[str], styled: Style
) -> Iterator[str]:
    waiting = [_Branch(vertex, link, "") for vertex, link in reversed(children.get(root, []))]
    last = {vertex for below in children.values() for vertex, _ in below[-1:]}
    while waiting:
        branch = waiting.pop()
        is_last = branch.vertex in last
        yield f"{styled(branch.lead + ('└─ ' if is_last else '├─ ') + branch.link, 'dim')} {names[branch.vertex]}"
        lead = branch.lead + ("   " if is_last else "│  ")
        waiting += [_Branch(vertex, link, lead) for vertex, link in reversed(children.get(branch.vertex, []))]
