"""Back up an installation to one file and restore it: the database, the media and the encryption key."""
