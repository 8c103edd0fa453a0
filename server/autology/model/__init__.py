"""The domain's values: frozen, standard library only."""
