"""Parsers of source files and manifests: Python by its own parser, other languages by tree-sitter."""
