"""`make demo`: a served organization with a history to walk through."""
