"""Mutations that break rules of the contract: `make mutants` shows whether a test detects each."""
