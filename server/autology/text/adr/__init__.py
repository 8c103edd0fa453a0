"""Decision records as projects keep them: read, rebuilt to the letter, found, and linked to each other."""
