"""Adapter: work on many files shared with other processes, which the program starts as it was started itself."""
