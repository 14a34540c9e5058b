"""The types of texts, and the bounds of Markdown."""
