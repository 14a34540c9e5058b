"""Faults that break rules of the contract and of security, one at a time: `make mutants` shows that a test fails."""
