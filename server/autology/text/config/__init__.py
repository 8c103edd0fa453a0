"""Minimal edits of other programs' configuration files: everything else in them stays as it is."""
