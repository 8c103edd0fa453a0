"""Collections of records in a project's own files: recognised by their form, read by their own conventions."""
