"""Records of the project that are nodes where they lie: their files read and written as one entry."""
