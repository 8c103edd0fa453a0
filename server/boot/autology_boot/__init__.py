"""The bootstrap: finding a Python, unpacking, reporting what is wrong."""
