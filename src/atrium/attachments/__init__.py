"""Files that go with messages."""
