-- Who last changed a block. Null if that was before this column existed.
alter table blocks add column updated_by uuid;
update blocks set updated_by = created_by where version = 1;

-- Blocks that were deleted and can still be restored. `root_id` is the block whose deletion took the others along.
create table deleted_blocks (
    room_id uuid not null,
    block_id uuid not null,
    root_id uuid not null,
    parent_block_id uuid,
    position integer not null,
    type text not null,
    content jsonb not null,
    version integer not null,
    created_by uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    updated_by uuid,
    deleted_at timestamptz not null,
    primary key (room_id, block_id)
);
create index deleted_blocks_by_root on deleted_blocks (room_id, root_id);
create index deleted_blocks_by_time on deleted_blocks (deleted_at);

-- A file belongs to the message it was sent with or to the block that shows it, and is removed if to neither.
alter table attachments add column block_id uuid;
create index attachments_by_block on attachments (room_id, block_id) where block_id is not null;
drop index attachments_unused;
create index attachments_unused on attachments (created_at) where message_id is null and block_id is null;
