"""The types of texts, and the limits of Markdown."""
