"""Documents: a person's own markdown, found, read, linked and written beside the knowledge."""

from autology.core.documents.library import Library

__all__ = ["Library"]
