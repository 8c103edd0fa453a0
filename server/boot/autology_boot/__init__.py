"""The bootstrap: finds a Python, unpacks the program, and reports problems."""
