"""Send deliveries: claim those that are due, sign, send, retry, pause."""
