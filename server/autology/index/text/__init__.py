"""Lexical index: postings in segments, and search over them."""
