"""Graph algorithms: paths, neighbourhoods, centrality, communities, structure. Pure and deterministic."""
