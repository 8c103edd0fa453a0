"""The MCP server: one module per tool, and the code they share."""
