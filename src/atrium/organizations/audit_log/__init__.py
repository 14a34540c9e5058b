"""List and export the audit log."""
