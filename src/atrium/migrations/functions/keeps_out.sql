-- Return the first field of a subscription's filter, other than its words, that keeps an event out; null if there is
-- none. An event that is not about a message has no sender, so that only the type of its room counts. Called by
-- subscribers_to and for previews of subscriptions.
create or replace function keeps_out(s subscriptions, type_of_room text, sender uuid, kind text, is_reply boolean,
                                     mentioned uuid[]) returns text
language sql stable parallel safe
return case
    when s.room_type <> type_of_room then 'room_type'
    when sender <> all(s.sender_ids) then 'sender_ids'
    when sender = any(s.not_sender_ids) then 'not_sender_ids'
    when s.sender_type <> kind then 'sender_type'
    when (s.thread = 'reply') <> is_reply then 'thread'
    when s.mentions is not null and not mentioned && s.mentions then 'mentions'
end;
