"""An MCP server over the public API: an agent acts as the person whose key it was given."""
