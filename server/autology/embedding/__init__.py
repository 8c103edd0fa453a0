"""Text embeddings for semantic search, using only the standard library."""
