-- The folded name, computed by Atrium so that the locale of PostgreSQL makes no difference. Archived rooms keep their
-- name, deleted rooms free it.
alter table rooms add column name_key text;
create unique index rooms_by_name on rooms (space_id, name_key) where deleted_at is null;
