"""The audit trail: what was changed, by whom, from where, and what was refused."""
