"""From the facts of single files to one graph: imports, scopes, classes, types, calls."""
