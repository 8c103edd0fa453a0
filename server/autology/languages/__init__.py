"""Source in other languages than Python, read by tree-sitter's parsers where the user installed them."""
