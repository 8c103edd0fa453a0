"""Adapter: what agents keep of their sessions, and the archive of it."""
