"""Front: the MCP tools, one module each."""
