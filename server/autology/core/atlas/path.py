"""How two things are connected: a shortest path over the links between them, or why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autology.core.atlas.atlas import Atlas, Chart, Vertex
from autology.graphs import paths
from autology.model.argument_limits import DEEPEST_PATH, PATH_DEPTH
from autology.model.errors import ValidationError
from autology.model.node import RelationType
from autology.model.relation_words import ACTIVE


@dataclass(frozen=True, slots=True)
class PathLink:
    """One link of a path; *backward* if it is followed against its direction."""

    type: str
    backward: bool


@dataclass(frozen=True, slots=True)
class PathResult:
    """The *vertices* from source to target and the *links* between them; without a path *reason* says why."""

    source: Vertex
    target: Vertex
    vertices: Sequence[Vertex] = ()
    links: Sequence[PathLink] = ()
    reason: str = ""

    @property
    def exists(self) -> bool:
        """Whether there is a path."""
        return not self.reason


def find(atlas: Atlas, source: str, target: str, depth: int = PATH_DEPTH, relations: Sequence[str] = ()) -> PathResult:
    """Return a shortest path between *source* and *target*, links followed in both directions.

    With *relations*, over links of these types only.

    Raises:
        NotFoundError, DocumentNotFoundError, AmbiguousNameError: one of them names nothing, or several.
        ValidationError: an unknown relation, or a depth out of range.
    """
    if not 1 <= depth <= DEEPEST_PATH:
        raise ValidationError(
            "max_depth", f"{depth} is outside 1-{DEEPEST_PATH}", f"Give a number from 1 to {DEEPEST_PATH}."
        )
    return atlas.read_current(lambda chart: _find(atlas, chart, (source, target), depth, relations))


def _find(atlas: Atlas, chart: Chart, ends: tuple[str, str], depth: int, relations: Sequence[str]) -> PathResult:
    graph = chart.network
    start, goal = atlas.vertex(chart, ends[0], "source"), atlas.vertex(chart, ends[1], "target")
    types = _types(chart, relations) if relations else None
    steps = paths.shortest(graph, start, goal, depth, types)
    vertices = [start, goal] if steps is None else [start, *(step.target for step in steps)]
    shown = atlas.displayed(chart, vertices)
    if steps is None:
        return PathResult(shown[start], shown[goal], reason=_reason(chart, start, goal, depth, relations))
    links = [PathLink(graph.types[step.type], step.backward) for step in steps]
    return PathResult(shown[start], shown[goal], [shown[vertex] for vertex in vertices], links)


def _types(chart: Chart, relations: Sequence[str]) -> frozenset[int]:
    numbers = {type.casefold(): number for number, type in enumerate(chart.network.types)}
    wanted = [relation.strip().casefold() for relation in relations]
    known = {*numbers, *(RelationType.RELATES_TO for wording in ACTIVE if wording in numbers)}
    unknown = next((name for name, plain in zip(relations, wanted, strict=True) if plain not in known), None)
    if unknown is not None:
        fits = f"There are: {', '.join(chart.network.types)}." if numbers else "There are no links yet."
        raise ValidationError("relations", f"unknown link type '{unknown[:40]}'", fits)
    worded = ACTIVE if RelationType.RELATES_TO in wanted else ()  # such links are stored as relates_to
    return frozenset(numbers[plain] for plain in (*wanted, *worded) if plain in numbers)


def _reason(chart: Chart, start: int, goal: int, depth: int, relations: Sequence[str]) -> str:
    """Return why there is no path, and what would help."""
    shortest = paths.shortest(chart.network, start, goal, len(chart.network))
    if shortest is None:
        alone = [end for end in (start, goal) if not chart.network.degree(end)]
        return "they are not connected" + (
            "; the first has no links" if alone == [start] else "; the second has no links" if alone else ""
        )
    if relations:
        types = _types(chart, relations)
        longer = paths.shortest(chart.network, start, goal, len(chart.network), types)
        if longer is None:
            return f"links of {', '.join(relations)} do not connect them; over all links it has {len(shortest)} steps"
        return f"over these relations the path has {len(longer)} steps, more than {depth}"
    return f"the shortest path has {len(shortest)} steps, more than {depth}"
