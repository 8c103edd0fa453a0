"""Front: the client's hooks, one module an event."""
