"""Adapter: a disposable projection of the files that answers in milliseconds."""
