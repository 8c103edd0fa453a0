"""The source files of a project, and the database of what was parsed from them."""
