"""Documents of every form, from markdown to plain text, read as title, metadata, sections and links."""
