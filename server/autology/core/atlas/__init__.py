"""The project's whole graph: nodes, documents and tags with every link between them, measured and walked."""

from autology.core.atlas.atlas import TAG, Atlas, Chart, Place

__all__ = ["TAG", "Atlas", "Chart", "Place"]
