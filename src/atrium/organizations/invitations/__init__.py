"""Invite people, and revoke invitations."""
