"""What exists: frozen values, standard library only."""
