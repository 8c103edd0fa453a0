"""Text to vectors: the encoder behind search by meaning, in the standard library alone."""
