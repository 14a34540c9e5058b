"""People: their profile, invitations and sign-in links."""
