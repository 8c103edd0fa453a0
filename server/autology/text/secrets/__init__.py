"""What keys, tokens and passwords look like, and where they stand."""
