"""Documents in markdown, reStructuredText, AsciiDoc, Org and plain text, read as title, metadata, sections and links."""
