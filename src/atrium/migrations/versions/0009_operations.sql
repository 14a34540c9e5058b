-- An invitation by the command line is by no account.
alter table invitations alter column invited_by drop not null;
