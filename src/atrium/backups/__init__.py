"""A whole installation in one file, and back: the database, the media, the key that secrets are sealed with."""
