"""Write a graph in the formats of other tools: GraphML, Cytoscape JSON, DOT, Mermaid, JSON, CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from autology.model.relation_words import ACTIVE, PASSIVE
from autology.text.sanitising import escaped, spelled

Row: TypeAlias = "dict[str, object]"
"""A node (id, type, title, …) or a relation (source, target, type, …); lists and mappings are values too."""

NODE_KEYS = (
    *("id", "type", "title", "status", "decision_status", "confidence", "tags", "created", "modified"),
    *("source", "session", "references", "content", "extra"),
)
RELATION_KEYS = ("source", "target", "type", "confidence", "description")
# Invalid in XML 1.0, even as references.
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# The beginnings of a formula, full-width ones included; a leading line end or tab is skipped.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


@dataclass(frozen=True, slots=True)
class Exported:
    """Nodes and relations, sorted; every end of a relation is a node."""

    nodes: Sequence[Row]
    relations: Sequence[Row]


def json_text(graph: Exported) -> str:
    """Return the graph as one JSON object: complete nodes, and relations."""
    document = {"version": "1.0", "nodes": list(graph.nodes), "relations": list(graph.relations)}
    return _json(document)


def csv_text(graph: Exported) -> str:
    """Return one table: a row per node, then a row per relation; `kind` says which, `from` and `to` are its ends.

    A cell that a spreadsheet would evaluate gets a leading apostrophe, which makes it text.
    """
    out = io.StringIO()
    columns = ["kind", *NODE_KEYS, "from", "to", "description"]
    writer = csv.DictWriter(out, columns, lineterminator="\r\n", restval="")
    writer.writeheader()
    for row in graph.nodes:
        writer.writerow({"kind": "node", **{key: _cell(value) for key, value in row.items()}})
    for row in graph.relations:
        ends = {"from": _cell(row["source"]), "to": _cell(row["target"])}
        rest = {key: _cell(row[key]) for key in ("type", "confidence", "description")}
        writer.writerow({"kind": "relation", **ends, **rest})
    return out.getvalue()


def cytoscape(graph: Exported) -> str:
    """Return the JSON format of Cytoscape and Cytoscape.js."""
    nodes = [{"data": {**_filled(row), "name": row["title"], "value": row["id"]}} for row in graph.nodes]
    edges = [
        {"data": {**row, "id": f"e{at}", "key": row["type"], "interaction": row["type"]}}
        for at, row in enumerate(graph.relations)
    ]
    root = {"data": {"name": "Autology"}, "directed": True, "multigraph": True}
    return _json({**root, "elements": {"nodes": nodes, "edges": edges}})


def graphml(graph: Exported) -> str:
    """Return GraphML, with lists and mappings as JSON text."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ]
    for prefix, of, keys in (("n", "node", NODE_KEYS[1:]), ("e", "edge", RELATION_KEYS[2:])):
        for key in keys:
            kind = "double" if key == "confidence" else "string"
            lines.append(f'  <key id="{prefix}_{key}" for="{of}" attr.name="{key}" attr.type="{kind}"/>')
    lines.append('  <graph id="autology" edgedefault="directed">')
    for row in graph.nodes:
        lines.append(f'    <node id="{_xml(str(row["id"]))}">')
        lines += _data("n", row, NODE_KEYS[1:])
        lines.append("    </node>")
    for at, row in enumerate(graph.relations):
        ends = f'source="{_xml(str(row["source"]))}" target="{_xml(str(row["target"]))}"'
        lines.append(f'    <edge id="e{at}" {ends}>')
        lines += _data("e", row, RELATION_KEYS[2:])
        lines.append("    </edge>")
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def dot(graph: Exported) -> str:
    """Return DOT, for Graphviz."""
    lines = ["digraph autology {", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
    for row in graph.nodes:
        attributes = {"label": f"{row['title']}\n({row['type']})", "type": row["type"], "status": row.get("status", "")}
        lines.append(f"  {_dot(row['id'])} [{_dot_attributes(attributes)}];")
    for row in graph.relations:
        attributes = {"label": _named(row), "confidence": row["confidence"], "tooltip": row["description"]}
        lines.append(f"  {_dot(row['source'])} -> {_dot(row['target'])} [{_dot_attributes(attributes)}];")
    return escaped("\n".join([*lines, "}", ""]))


def mermaid(graph: Exported) -> str:
    """Return a Mermaid flowchart for GitHub and Obsidian; ids are numbered, titles are labels."""
    number = {row["id"]: f"n{at}" for at, row in enumerate(graph.nodes)}
    nodes = (f'  {number[row["id"]]}["{_label(str(row["title"]))}"]:::{row["type"]}' for row in graph.nodes)
    ends = ((number[row["source"]], number[row["target"]], _label(_named(row))) for row in graph.relations)
    return escaped("\n".join(["flowchart LR", *nodes, *(f'  {a} -->|"{type}"| {b}' for a, b, type in ends), ""]))


def _named(relation: Row) -> str:
    """Return a relation's type, or what the record that states it says: ``amends``."""
    wording = str(relation["description"])
    return wording if wording in ACTIVE or wording in PASSIVE else str(relation["type"])


# ---- what each format can hold -------------------------------------------------------------------


def _json(document: Mapping[str, object]) -> str:
    return escaped(json.dumps(document, ensure_ascii=False, indent=1)) + "\n"


def _filled(row: Row) -> Row:
    return {key: value for key, value in row.items() if value not in ("", [], {}, None)}


def _flat(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping | list | tuple):
        return json.dumps(value, ensure_ascii=False) if value else ""
    return "" if value is None else str(value)


def _cell(value: object) -> str:
    text = escaped(_flat(value))
    return f"'{text}" if text.startswith(_FORMULA) else text


def _data(prefix: str, row: Row, keys: Sequence[str]) -> Iterator[str]:
    for key in keys:
        if text := _flat(row.get(key, "")):
            yield f'      <data key="{prefix}_{key}">{_xml(text)}</data>'


def _xml(text: str) -> str:
    plain = _NOT_XML.sub("\ufffd", text)
    quoted = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return spelled(quoted.replace("\r", "&#13;"), lambda letter: f"&#{ord(letter)};")


def _dot(value: object) -> str:
    text = str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\r", "")
    return '"' + text.replace("\n", "\\n").replace("\0", "") + '"'


def _dot_attributes(attributes: Row) -> str:
    return ", ".join(f"{key}={_dot(value)}" for key, value in attributes.items() if value != "")


def _label(text: str) -> str:
    codes = {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "`": "#96;", "\\": "#92;", "\n": " ", "\r": " "}
    return "".join(codes.get(c, c) for c in text)
