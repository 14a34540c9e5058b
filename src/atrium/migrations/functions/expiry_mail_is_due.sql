-- Return whether a key or a certificate has begun its last week or its last day, unless a mail reported this or its end
-- was set since then. Called by the worker.
create or replace function expiry_mail_is_due(ends_at timestamptz, mailed_at timestamptz, now timestamptz)
returns boolean language sql stable as $$
    select ends_at > now and ends_at <= now + interval '7 days'
       and mailed_at < ends_at - case when ends_at <= now + interval '1 day' then interval '1 day'
                                      else interval '7 days' end
$$;
