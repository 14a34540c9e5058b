"""The server: wiring, the boundary of every request, the front, and the API reference."""
