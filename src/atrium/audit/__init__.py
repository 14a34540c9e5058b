"""The audit log: changes and rejected requests, each with its actor and client."""
