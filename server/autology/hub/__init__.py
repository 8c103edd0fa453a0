"""The team hub: notes, memories and, by consent, conversations shared through PostgreSQL."""
