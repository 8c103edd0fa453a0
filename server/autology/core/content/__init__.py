"""Content stored in files: collections of entries, read through the index, changed by drafts, deleted into a trash."""
