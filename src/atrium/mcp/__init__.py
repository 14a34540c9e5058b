"""An MCP server that uses the public API: an agent acts as the person whose key it has."""
