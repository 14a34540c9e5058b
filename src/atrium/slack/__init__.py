"""Slack's message format: mrkdwn, attachments and Block Kit, converted to Markdown and blocks."""
