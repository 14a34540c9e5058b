"""Search: messages by their words, in several languages, among what the caller can access."""
