"""Links by email: to sign in, and to set a password."""
