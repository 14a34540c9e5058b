-- Return the body of a webhook event (docs/contract.md#events-and-deliveries); `data` is JSON text. Called by
-- QUEUE.
create or replace function event_body(event_type text, subject_type text, subject uuid, at_ms bigint, data text)
returns bytea language sql stable parallel safe as $$
    select convert_to(concat('{"event_type":"', event_type, '","subject":{"type":"', subject_type, '","id":"', subject,
                             '"},"timestamp":', json_time_of_ms(at_ms), ',"data":', data, '}'), 'UTF8')
$$;
