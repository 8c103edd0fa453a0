"""Shell command lines: words, programs called, commits made."""
