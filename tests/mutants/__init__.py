"""Rules of the contract, each broken on purpose: `make mutants` tells whether a test notices."""
