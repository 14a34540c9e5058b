-- Return whether a webhook subscribes to an event of one of two subjects. Called by triggers that would otherwise read
-- more.
create or replace function is_subscribed(event_type text, one uuid, other uuid)
returns boolean language sql stable parallel safe as $$
    select exists (select from subscriptions s
                   where s.subject_id = any(array[one, other]) and s.subscription_type = subscription_type(event_type))
$$;
