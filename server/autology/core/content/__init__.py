"""Content that lives in files: collections of entries, read through the index, changed by drafts, kept in a trash."""
