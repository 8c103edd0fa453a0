"""The project's whole graph: nodes, documents and tags with every link between them, measured and walked."""
