"""Join an organization: by an invitation, or one that has added your account."""
