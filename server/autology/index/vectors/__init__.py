"""Vector index: codes of passages, encoders, and search over them."""
