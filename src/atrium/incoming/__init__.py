"""Incoming webhooks: a URL per room that existing tools post to, in Slack's message format."""
