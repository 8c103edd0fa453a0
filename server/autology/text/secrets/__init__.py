"""The formats of keys, tokens and passwords, and the places where they occur."""
