"""Bytes of recordings and attachments: stored in parts, told by their content, served by ranges."""
