"""Running the service: what it measures and logs, whether it is ready, what may be wrong with it."""
