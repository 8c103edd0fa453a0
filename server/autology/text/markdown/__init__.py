"""Markdown: sections, links, code blocks, passages and snippets."""
