"""Events of the log become deliveries, for the webhooks that subscribe to them."""
