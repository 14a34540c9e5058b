-- Stored files: uploads, recordings with their transcripts, attachments, and imports.

-- What is stored of each object, part by part. A part's place in the storage is `object/part`, and no part is written
-- twice, so what a row here names does not change.
create table media_parts (
    object uuid not null,
    starts_at bigint not null,
    size integer not null,
    part uuid not null,
    primary key (object, starts_at)
);

-- Objects that nothing names any more; they wait to be removed from the storage.
create table dropped_objects (
    object uuid primary key,
    dropped_at timestamptz not null
);

-- Uploads that have not ended. `upload_id` becomes the id of the recording, attachment or import, and the name of its
-- object. `room_id` is null for an import. `size` is null until it is known; `writer` is the request whose bytes count,
-- so that of two only the later one writes.
create table uploads (
    upload_id uuid primary key,
    room_id uuid,
    kind text not null,
    name text not null,
    size bigint,
    received bigint not null default 0,
    parts integer not null default 0,
    writer uuid,
    created_by uuid not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    finished_at timestamptz
);
create index uploads_by_expiry on uploads (expires_at);
create index uploads_by_room on uploads (room_id);

-- A row exists when all of its bytes do.
create table recordings (
    room_id uuid not null,
    recording_id uuid not null,
    name text not null,
    media_type text not null,
    size bigint not null,
    duration_ms integer,
    object uuid not null,
    created_by uuid not null,
    created_at timestamptz not null,
    ready_at timestamptz not null,
    deleted_at timestamptz,
    primary key (room_id, recording_id)
);
create unique index recordings_by_id on recordings (recording_id);
-- The worker removes them soon.
create index recordings_deleted on recordings (deleted_at) where deleted_at is not null;

-- The version of a recording's transcript. The row outlives a deleted transcript: its versions go on from there, and a
-- transcript is published for the first time only once.
create table transcript_heads (
    room_id uuid not null,
    recording_id uuid not null,
    version integer not null,
    published_at timestamptz not null,
    deleted_at timestamptz,
    indexed_version integer not null default 0,
    indexed_generation integer not null default 0,
    primary key (room_id, recording_id)
);

-- Every version, complete. `segments` is the text of the response.
create table transcript_versions (
    room_id uuid not null,
    recording_id uuid not null,
    version integer not null,
    language text,
    origin text not null,
    created_by uuid,
    created_at timestamptz not null,
    segment_count integer not null,
    segments text not null,
    primary key (room_id, recording_id, version)
);

-- The words of the newest version, a few sentences in a row, written later by the workers. They are deleted in the
-- transaction that corrects or deletes the transcript.
create table transcript_search (
    room_id uuid not null,
    recording_id uuid not null,
    passage_id uuid not null,
    start_ms integer not null,
    said text not null,
    document tsvector not null,
    primary key (room_id, recording_id, passage_id)
);
create index transcript_search_by_word on transcript_search using gin (document) with (fastupdate = off);

-- The jobs of transcribing, one for each recording. A claim moves `due_at` to the end of its lease, which is prolonged
-- during the work: if the worker dies, the job is due again. `claim` shows a worker whether the job is still its own.
create table transcriptions (
    room_id uuid not null,
    recording_id uuid not null,
    status text not null,
    progress real not null default 0,
    reason text,
    language text,
    attempts smallint not null default 0,
    due_at timestamptz not null,
    claim uuid,
    asked_by uuid,
    asked_at timestamptz not null,
    over_version integer not null,
    ended_at timestamptz,
    primary key (room_id, recording_id)
);
create index transcriptions_due on transcriptions (due_at) where status in ('waiting', 'running');

-- A file belongs to the message it was sent with or to the block that shows it, and is removed if to neither.
-- `thumbnail` is an image's small picture, a part of its object; `width` and `height` are there exactly when it is.
create table attachments (
    room_id uuid not null,
    attachment_id uuid not null,
    name text not null,
    media_type text not null,
    size bigint not null,
    width integer,
    height integer,
    object uuid not null,
    thumbnail uuid,
    thumbnail_size integer,
    created_by uuid not null,
    created_at timestamptz not null,
    message_id uuid,
    block_id uuid,
    primary key (room_id, attachment_id)
);
create unique index attachments_by_id on attachments (attachment_id);
create index attachments_by_message on attachments (room_id, message_id) where message_id is not null;
create index attachments_by_block on attachments (room_id, block_id) where block_id is not null;
create index attachments_unused on attachments (created_at) where message_id is null and block_id is null;

-- Imports of uploaded files: the list of an organization, and the queue of the workers. The id is also that of the
-- upload and of the stored file, which is removed when the import ends.
create table imports (
    import_id uuid primary key,
    organization_id uuid not null references organizations,
    space_id uuid not null references spaces,
    name text not null,
    size bigint not null,
    status text not null default 'uploading'
        check (status in ('uploading', 'checking', 'ready', 'importing', 'done', 'failed', 'canceled')),
    done bigint not null default 0,
    total bigint not null default 0,
    checked jsonb,
    counters jsonb,
    reason text,
    attempts smallint not null default 0,
    claim uuid,
    due_at timestamptz not null,
    created_by uuid not null references actors,
    created_at timestamptz not null,
    ended_at timestamptz
);
create index imports_by_organization on imports (organization_id, import_id);
create index imports_due on imports (due_at) where ended_at is null;
