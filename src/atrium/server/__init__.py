"""The server: wiring, middleware, the pipeline of every request, and the API reference."""
