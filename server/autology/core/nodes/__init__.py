"""Notes, called nodes here: capture, change, relate, review, find, delete and restore them."""
