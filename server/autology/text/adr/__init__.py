"""Decision records as projects keep them: parsed, reconstructed exactly, discovered, and linked."""
