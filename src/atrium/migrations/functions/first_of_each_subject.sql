-- Return the first delivery of each subject of a webhook, which those behind it wait for: it is due, under way, or waits
-- for a retry. Called by the worker, for webhooks that deliver in order.
create or replace function first_of_each_subject(webhook uuid)
returns table (tid tid, subject_id uuid, due_at timestamptz)
language sql stable parallel safe as $$
    with recursive first as (
        (select d.ctid, d.subject_id, d.due_at from due_deliveries d
         where d.webhook_id = webhook and d.position > 0
         order by d.subject_id, d.position limit 1)
        union all
        select next.* from first cross join lateral (
            select d.ctid, d.subject_id, d.due_at from due_deliveries d
            where d.webhook_id = webhook and d.subject_id > first.subject_id and d.position > 0
            order by d.subject_id, d.position limit 1) next
    )
    select * from first
$$;
