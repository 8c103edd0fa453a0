"""Adapter: a team's hub, which is a PostgreSQL that holds the projection of projects and what is kept for all of them."""
