"""The log of a webhook's deliveries: read it, and send deliveries again."""
