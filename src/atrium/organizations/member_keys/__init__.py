"""The personal keys of an organization's members."""
