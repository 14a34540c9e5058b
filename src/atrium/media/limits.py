"""The largest image that gets a thumbnail, shared with the process that makes it."""

MAX_PIXELS = 64_000_000
TOO_LARGE = 3  # exit status for too many pixels
