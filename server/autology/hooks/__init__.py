"""Front: the client's hooks, one module per event."""
