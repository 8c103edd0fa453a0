"""Answers as text and as JSON, the same for every front."""
