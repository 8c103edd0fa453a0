"""Text formats: parsing and writing, pure and round-tripping."""
