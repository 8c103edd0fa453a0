"""Ports to the index: what it is fed, and how it is searched."""
