"""What is measured on the graph, as JSON: one way for every front."""

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


def stats(found: GraphStats) -> Json:
    """Return the graph in numbers."""
    nowhere = [
        {"source": edge.source, "type": edge.type, "target": _line(edge.target)} for edge in found.leading_nowhere
    ]
    between: Json = {"exact": found.starts == found.vertices}
    if not between["exact"]:
        between["estimated_from"] = f"{found.starts:,} of {found.vertices:,} nodes"
    return {
        "nodes": found.nodes,
        "nodes_by_type": dict(found.nodes_by_type),
        "edges": found.edges,
        "edges_by_type": {_line(type): many for type, many in found.edges_by_type.items()},
        "density": float(f"{found.density:.4g}"),
        "average_degree": round(found.average_degree, 2),
        "components": {"count": len(found.components), "largest": list(found.components[:10])},
        "orphans": {"count": found.orphans, "nodes": [place(each) for each in found.orphaned]},
        "hubs": [_scored(each, "degree") for each in found.hubs],
        "bridges": {
            "count": found.bridges,
            "links": [[place(one), place(other)] for one, other in found.bridging],
        },
        "dangling": {"count": found.dangling, "links": nowhere},
        "pagerank": [_scored(each, "score") for each in found.ranked],
        "betweenness": {**between, "nodes": [_scored(each, "score") for each in found.between]},
    }


def path(found: Found) -> Json:
    """Return a way, or why there is none."""
    if not found.found:
        return {
            "found": False,
            "source": place(found.source),
            "target": place(found.target),
            "reason": f"no path: {found.reason}",
        }
    steps = [
        {
            "source": (after if leg.backward else before).id,
            "type": _line(leg.type),
            "target": (before if leg.backward else after).id,
        }
        for before, leg, after in zip(found.places, found.legs, found.places[1:], strict=False)
    ]
    return {"found": True, "length": len(steps), "path": [place(each) for each in found.places], "steps": steps}


def clusters(found: Clusters) -> Json:
    """Return the communities."""
    listed = [
        {
            "number": cluster.number,
            "label": list(cluster.label),
            "size": cluster.size,
            "cohesion": round(cluster.cohesion, 3),
            "types": dict(cluster.types),
            "members": [place(each) for each in cluster.members],
            **({"more_members": more} if (more := cluster.size - len(cluster.members)) > 0 else {}),
            "bridges": [{**place(each.place), "leads_to": list(each.leads_to)} for each in cluster.bridges],
        }
        for cluster in found.clusters
    ]
    entry: Json = {"clusters": listed, "total": found.total, "alone": found.alone}
    return {**entry, "modularity": round(found.modularity, 4), "resolution": found.resolution}


def picture(shown: Picture) -> Json:
    """Return a picture's vertices and links."""
    ids = [each.id for each in shown.places]
    links = [
        {"source": ids[source], "type": _line(type), "target": ids[target]} for source, type, target in shown.links
    ]
    return {"nodes": [place(each) for each in shown.places], "edges": links, "complete": not shown.left_out}


def whole(shown: Whole) -> Json:
    """Return the whole graph, compactly: ten thousand nodes are read by a browser at once."""
    tags = sorted({tag for spot in shown.spots for tag in spot.tags})
    types = sorted({type for _, type, _ in shown.links})
    of_tag = {tag: number for number, tag in enumerate(tags)}
    of_type = {type: number for number, type in enumerate(types)}
    return {
        "nodes": [
            {
                **place(spot.place),
                "status": spot.status,
                "modified": spot.modified,
                "tags": [of_tag[tag] for tag in spot.tags],
                "community": spot.community,
            }
            for spot in shown.spots
        ],
        "links": [number for source, type, target in shown.links for number in (source, of_type[type], target)],
        "types": [_line(type) for type in types],
        "tags": [_line(tag) for tag in tags],
        "communities": {str(number): [_line(word) for word in label] for number, label in shown.communities.items()},
    }


def place(shown: Place) -> Json:
    """Return a vertex: its id, title and type."""
    return {"id": shown.id, "title": _line(shown.title), "type": shown.type}


def _scored(shown: Scored, name: str) -> Json:
    whole = shown.score == int(shown.score)
    return {**place(shown.place), name: int(shown.score) if whole else float(f"{shown.score:.4g}")}


def labels(places: Sequence[Place], longest: int) -> list[str]:
    """Return what is written on each vertex: its title, cut."""
    return [clean_line(each.title, longest) for each in places]


def _line(text: str) -> str:
    return clean_line(text, TITLE_LIMIT)
