-- How a webhook authenticates to its endpoint: encrypted JSON with its secret, null for not at all. Of a client
-- certificate, when it ends, and when a mail about its end was last queued or the certificate set.
alter table webhooks
    add column authentication bytea,
    add column certificate_ends_at timestamptz,
    add column certificate_mailed_at timestamptz;

-- Whether something has begun its last week or its last day, unless a mail said so or its end was set since then.
create function expiry_mail_is_due(ends_at timestamptz, mailed_at timestamptz, now timestamptz) returns boolean
language sql stable as $$
    select ends_at > now and ends_at <= now + interval '7 days'
       and mailed_at < ends_at - case when ends_at <= now + interval '1 day' then interval '1 day'
                                      else interval '7 days' end
$$;
