"""Use cases: sending local changes to the hub and pulling those of others."""
