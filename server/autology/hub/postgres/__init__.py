"""Adapter: a hub in PostgreSQL with pgvector."""
