"""Create, change and delete webhooks and their subscriptions."""
