-- A change of a message that pages show, other than those that a send makes to the root of its thread, is noted for the
-- page cache. At the end of the transaction, because an import changes further messages after these.
create or replace function note_change_of_message() returns trigger
language plpgsql as $$
begin
    perform note_change(new.room_id);
    return null;
end $$;

-- A constraint trigger cannot be replaced.
drop trigger if exists message_changed on messages;
create constraint trigger message_changed after update of user_id, sender_type, parent_id, thread_root_id, text, blocks,
    mentions, attachments, reactions, sent_at, edited_at, deleted_at on messages
    deferrable initially deferred for each row execute function note_change_of_message();
