"""Two machines of one user without a server: memories and past sessions travel through a folder of write-once files."""
