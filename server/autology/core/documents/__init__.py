"""Documents: a person's own markdown, found, read, linked and written beside the knowledge."""
