"""Graph measurements as JSON, for all front ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autology.core.atlas.atlas import Place
from autology.core.atlas.clusters import Clusters
from autology.core.atlas.path import Found
from autology.core.atlas.picture import Picture
from autology.core.atlas.stats import GraphStats, Scored
from autology.core.atlas.whole import Whole
from autology.model.node import TITLE_LIMIT
from autology.text.fence import clean_line

Json = dict[str, Any]


def stats(measured: GraphStats) -> Json:
    """Return the graph statistics."""
    dangling_links = [
        {"source": edge.source, "type": edge.type, "target": _line(edge.target)} for edge in measured.leading_nowhere
    ]
    between: Json = {"exact": measured.starts == measured.vertices}
    if not between["exact"]:
        between["estimated_from"] = f"{measured.starts:,} of {measured.vertices:,} nodes"
    return {
        "nodes": measured.nodes,
        "nodes_by_type": dict(measured.nodes_by_type),
        "edges": measured.edges,
        "edges_by_type": {_line(type): many for type, many in measured.edges_by_type.items()},
        "density": float(f"{measured.density:.4g}"),
        "average_degree": round(measured.average_degree, 2),
        "components": {"count": len(measured.components), "largest": list(measured.components[:10])},
        "orphans": {"count": measured.orphans, "nodes": [place(item) for item in measured.orphaned]},
        "hubs": [_scored(item, "degree") for item in measured.hubs],
        "bridges": {
            "count": measured.bridges,
            "links": [[place(one), place(other)] for one, other in measured.bridging],
        },
        "dangling": {"count": measured.dangling, "links": dangling_links},
        "pagerank": [_scored(item, "score") for item in measured.ranked],
        "betweenness": {**between, "nodes": [_scored(item, "score") for item in measured.between]},
    }


def path(result: Found) -> Json:
    """Return a path, or why there is none."""
    if not result.found:
        return {
            "found": False,
            "source": place(result.source),
            "target": place(result.target),
            "reason": f"no path: {result.reason}",
        }
    steps = [
        {
            "source": (after if leg.backward else before).id,
            "type": _line(leg.type),
            "target": (before if leg.backward else after).id,
        }
        for before, leg, after in zip(result.places, result.legs, result.places[1:], strict=False)
    ]
    return {"found": True, "length": len(steps), "path": [place(vertex) for vertex in result.places], "steps": steps}


def clusters(result: Clusters) -> Json:
    """Return the communities."""
    listed = [
        {
            "number": cluster.number,
            "label": list(cluster.label),
            "size": cluster.size,
            "cohesion": round(cluster.cohesion, 3),
            "types": dict(cluster.types),
            "members": [place(item) for item in cluster.members],
            **({"more_members": more} if (more := cluster.size - len(cluster.members)) > 0 else {}),
            "bridges": [{**place(item.place), "leads_to": list(item.leads_to)} for item in cluster.bridges],
        }
        for cluster in result.clusters
    ]
    entry: Json = {"clusters": listed, "total": result.total, "alone": result.alone}
    return {**entry, "modularity": round(result.modularity, 4), "resolution": result.resolution}


def picture(shown: Picture) -> Json:
    """Return a picture's vertices and links."""
    ids = [vertex.id for vertex in shown.places]
    links = [
        {"source": ids[source], "type": _line(type), "target": ids[target]} for source, type, target in shown.links
    ]
    return {"nodes": [place(vertex) for vertex in shown.places], "edges": links, "complete": not shown.left_out}


def whole(shown: Whole) -> Json:
    """Return the whole graph in a compact form that a browser parses fast for ten thousand nodes."""
    tags = sorted({tag for spot in shown.spots for tag in spot.tags})
    types = sorted({type for _, type, _ in shown.links})
    tag_numbers = {tag: number for number, tag in enumerate(tags)}
    type_numbers = {type: number for number, type in enumerate(types)}
    return {
        "nodes": [
            {
                **place(spot.place),
                "status": spot.status,
                "modified": spot.modified,
                "tags": [tag_numbers[tag] for tag in spot.tags],
                "community": spot.community,
            }
            for spot in shown.spots
        ],
        "links": [number for source, type, target in shown.links for number in (source, type_numbers[type], target)],
        "types": [_line(type) for type in types],
        "tags": [_line(tag) for tag in tags],
        "communities": {str(number): [_line(word) for word in label] for number, label in shown.communities.items()},
    }


def place(shown: Place) -> Json:
    """Return a vertex's id, title and type."""
    return {"id": shown.id, "title": _line(shown.title), "type": shown.type}


def _scored(shown: Scored, name: str) -> Json:
    whole = shown.score == int(shown.score)
    return {**place(shown.place), name: int(shown.score) if whole else float(f"{shown.score:.4g}")}


def labels(places: Sequence[Place], longest: int) -> list[str]:
    """Return the labels of vertices: their titles, truncated."""
    return [clean_line(vertex.title, longest) for vertex in places]


def _line(text: str) -> str:
    return clean_line(text, TITLE_LIMIT)
