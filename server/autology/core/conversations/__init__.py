"""What was said in past sessions: read from the client's transcripts, kept in an archive, found through an index."""
