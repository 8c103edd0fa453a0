"""What a language needs, a module each; one that is added is registered in :mod:`autology.codegraph.file_endings`."""
