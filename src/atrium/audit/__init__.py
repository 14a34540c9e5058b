"""The audit log: what was changed, by whom, from where, and what was refused."""
