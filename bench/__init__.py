"""`make bench`: what the server costs, against a ceiling taken from the same server in the same run."""
