"""Use cases: searching all servers of a team at once."""
