"""Learning to score words that may be secrets: forms, a grammar, examples, and how weights are learned."""
