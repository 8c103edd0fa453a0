"""What stands between the first line and the program: finding a Python, unpacking, saying what is wrong."""
