"""Files of recordings and attachments: stored in parts, typed by their content, served by ranges."""
