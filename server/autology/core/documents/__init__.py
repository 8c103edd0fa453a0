"""Documents: the user's own markdown, searched, read, linked and written besides the notes."""
