"""Adapter: the transcripts of coding agents, and their archive."""
