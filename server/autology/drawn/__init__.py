"""The graph as it is shown: data, a tree of lines for a terminal, and the languages that draw pictures."""
