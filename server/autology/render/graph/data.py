"""Graph measurements as JSON, for all front ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autology.core.atlas.atlas import Vertex
from autology.core.atlas.clusters import Clusters
from autology.core.atlas.display import DisplayGraph
from autology.core.atlas.path import PathResult
from autology.core.atlas.picture import Picture
from autology.core.atlas.stats import GraphStats, RankedVertex
from autology.model.node import TITLE_LIMIT
from autology.text.sanitising import clean_line

Json = dict[str, Any]


def stats(measured: GraphStats) -> Json:
    """Return the graph statistics."""
    dangling_links = [
        {"source": edge.source, "type": edge.type, "target": _line(edge.target)} for edge in measured.leading_nowhere
    ]
    betweenness: Json = {"exact": measured.starts == measured.vertices}
    if not betweenness["exact"]:
        betweenness["estimated_from"] = f"{measured.starts:,} of {measured.vertices:,} nodes"
    return {
        "nodes": measured.vertices,
        "nodes_by_type": dict(measured.nodes_by_type),
        "edges": measured.edges,
        "edges_by_type": {_line(type): count for type, count in measured.edges_by_type.items()},
        "density": float(f"{measured.density:.4g}"),
        "average_degree": round(measured.average_degree, 2),
        "components": {"count": len(measured.components), "largest": list(measured.components[:10])},
        "orphans": {"count": measured.orphans, "nodes": [vertex_data(item) for item in measured.orphaned]},
        "hubs": [_scored(item, "degree") for item in measured.hubs],
        "bridges": {
            "count": measured.bridges,
            "links": [[vertex_data(one), vertex_data(other)] for one, other in measured.bridging],
        },
        "dangling": {"count": measured.dangling, "links": dangling_links},
        "pagerank": [_scored(item, "score") for item in measured.ranked],
        "betweenness": {**betweenness, "nodes": [_scored(item, "score") for item in measured.between]},
    }


def path(result: PathResult) -> Json:
    """Return a path, or why there is none."""
    if not result.exists:
        return {
            "found": False,
            "source": vertex_data(result.source),
            "target": vertex_data(result.target),
            "reason": f"no path: {result.reason}",
        }
    steps = [
        {
            "source": (after if link.backward else before).id,
            "type": _line(link.type),
            "target": (before if link.backward else after).id,
        }
        for before, link, after in zip(result.vertices, result.links, result.vertices[1:], strict=False)
    ]
    return {
        "found": True,
        "length": len(steps),
        "path": [vertex_data(vertex) for vertex in result.vertices],
        "steps": steps,
    }


def clusters(result: Clusters) -> Json:
    """Return the communities."""
    listed = [
        {
            "number": cluster.number,
            "label": list(cluster.label),
            "size": cluster.size,
            "cohesion": round(cluster.cohesion, 3),
            "types": dict(cluster.types),
            "members": [vertex_data(item) for item in cluster.members],
            **({"more_members": more} if (more := cluster.size - len(cluster.members)) > 0 else {}),
            "bridges": [{**vertex_data(item.vertex), "leads_to": list(item.leads_to)} for item in cluster.bridges],
        }
        for cluster in result.clusters
    ]
    entry: Json = {"clusters": listed, "total": result.total, "alone": result.alone}
    return {**entry, "modularity": round(result.modularity, 4), "resolution": result.resolution}


def picture(view: Picture) -> Json:
    """Return a picture's vertices and links."""
    ids = [vertex.id for vertex in view.vertices]
    links = [{"source": ids[source], "type": _line(type), "target": ids[target]} for source, type, target in view.links]
    return {"nodes": [vertex_data(vertex) for vertex in view.vertices], "edges": links, "complete": not view.left_out}


def whole(shown: DisplayGraph) -> Json:
    """Return the whole graph in a compact form that a browser parses fast for ten thousand nodes."""
    tags = sorted({tag for vertex in shown.vertices for tag in vertex.tags})
    types = sorted({type for _, type, _ in shown.links})
    tag_numbers = {tag: number for number, tag in enumerate(tags)}
    type_numbers = {type: number for number, type in enumerate(types)}
    folders = sorted({vertex.folder for vertex in shown.vertices})
    folder_numbers = {folder: number for number, folder in enumerate(folders)}
    return {
        "nodes": [
            {
                **vertex_data(vertex.vertex),
                "status": vertex.status,
                "modified": vertex.modified or None,
                "tags": [tag_numbers[tag] for tag in vertex.tags],
                "community": vertex.community,
                "folder": folder_numbers[vertex.folder],
            }
            for vertex in shown.vertices
        ],
        "links": [number for source, type, target in shown.links for number in (source, type_numbers[type], target)],
        "types": [_line(type) for type in types],
        "tags": [_line(tag) for tag in tags],
        "folders": [_line(folder) for folder in folders],
        "communities": {str(number): [_line(word) for word in label] for number, label in shown.communities.items()},
        "sparse": shown.is_sparse,
        "similar": None if shown.similar is None else [number for pair in shown.similar for number in pair],
    }


def vertex_data(shown: Vertex) -> Json:
    """Return a vertex's id, title and type."""
    return {"id": shown.id, "title": _line(shown.title), "type": shown.type}


def _scored(shown: RankedVertex, name: str) -> Json:
    is_integer = shown.score == int(shown.score)
    return {**vertex_data(shown.vertex), name: int(shown.score) if is_integer else float(f"{shown.score:.4g}")}


def labels(vertices: Sequence[Vertex], longest: int) -> list[str]:
    """Return the labels of vertices: their titles, truncated."""
    return [clean_line(vertex.title, longest) for vertex in vertices]


def _line(text: str) -> str:
    return clean_line(text, TITLE_LIMIT)
