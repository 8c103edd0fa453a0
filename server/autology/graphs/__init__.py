"""What can be computed on a graph: ways, neighbourhoods, importance, communities, shape. Pure, and always the same."""
