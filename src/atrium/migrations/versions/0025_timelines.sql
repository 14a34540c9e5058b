-- PostgreSQL begins a timeline when a replica is promoted. The first read from a replica after that marks it here. A
-- host that lacks the mark of the current timeline does not follow the primary: it follows a former one, or belongs to
-- another cluster, and its place in the write-ahead log says nothing (kit/postgres/replicas.py).
create table timelines (
    timeline int primary key,
    mark uuid not null default gen_random_uuid(),
    seen_at timestamptz not null default now()
);
