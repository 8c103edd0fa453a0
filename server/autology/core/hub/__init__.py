"""Working with a team: what is shared, kept for all, asked of others, and what waits until the hub is there again."""
