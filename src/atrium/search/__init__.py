"""Search: messages by their words, in several languages, and only those that the caller reaches."""
