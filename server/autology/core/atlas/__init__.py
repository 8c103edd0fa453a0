"""The project's whole graph: nodes, documents and tags with all links between them, measured and traversed."""
