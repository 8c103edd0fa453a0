"""Past sessions: read from the client's transcripts, archived and indexed."""
