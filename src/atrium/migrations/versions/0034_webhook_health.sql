-- The attempts of a webhook that ended in an hour. `durations` counts the answers in buckets (webhooks/histogram.py).
-- Workers add to a row every few seconds, so its page has room for new versions of it.
create table webhook_health (
    webhook_id uuid not null,
    hour timestamptz not null,
    attempts integer not null,
    succeeded integer not null,
    durations integer[] not null,
    primary key (webhook_id, hour)
) with (fillfactor = 70);

create index webhook_health_by_hour on webhook_health (hour);
