"""The activity figures of an organization."""
