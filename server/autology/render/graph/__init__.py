"""Renderings of the graph: JSON, a tree for terminals, and graph drawing languages."""
