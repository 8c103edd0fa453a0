"""Source code as text: definitions, edits, drift."""
