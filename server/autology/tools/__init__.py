"""The MCP server: one module a tool, and what they share."""
