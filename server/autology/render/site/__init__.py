"""The project's notes as a read-only site."""
