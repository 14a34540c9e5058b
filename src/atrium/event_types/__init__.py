"""The catalogue of webhook events."""
