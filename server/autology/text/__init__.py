"""Text to model and back: pure, round-tripping."""
