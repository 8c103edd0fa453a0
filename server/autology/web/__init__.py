"""Front: the local page, in the user's own browser."""
