"""`make bench`: measure the server against a ceiling taken from the same server in the same run."""
