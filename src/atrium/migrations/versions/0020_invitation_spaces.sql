-- The spaces that an invitation adds its person to, and the role in each.
create table invitation_spaces (
    invitation_id uuid not null references invitations,
    space_id uuid not null references spaces,
    role space_role not null,
    primary key (invitation_id, space_id)
);

-- Revoking an invitation moved its end to the present, so nobody could tell a revoked one from an expired one.
alter table invitations add column revoked_at timestamptz;
update invitations set revoked_at = expires_at
where accepted_at is null and expires_at < created_at + interval '14 days';
