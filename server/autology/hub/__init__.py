"""Adapter: a team's hub, a PostgreSQL with the projection of projects and what is kept for all of them."""
