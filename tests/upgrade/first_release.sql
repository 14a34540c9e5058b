-- An installation as the first release's schema (revision 0001) had it: two people, one of them deactivated, an
-- integration, a space of each kind, a room with 300 messages over 25 days, a thread, a page.

create function pg_temp.id(n bigint) returns uuid language sql as $$
    select ('0190000000007000a000' || lpad(n::text, 12, '0'))::uuid
$$;
-- The id of message n, two hours before message n + 1.
create function pg_temp.ms(n bigint) returns bigint language sql as $$ select 1760000000000 + n * 7200000 $$;
create function pg_temp.message(n bigint) returns uuid language sql as $$
    select (lpad(to_hex(pg_temp.ms(n)), 12, '0') || '7000a000' || lpad(n::text, 12, '0'))::uuid
$$;
create function pg_temp.hash(key text) returns bytea language sql as $$ select sha256(convert_to(key, 'UTF8')) $$;

insert into organizations values (pg_temp.id(1), 'Analytical Engines', '2025-10-01Z');
insert into actors values
    (pg_temp.id(2), 'person', 'Alice', '2025-10-01Z'), (pg_temp.id(3), 'person', 'Bob', '2025-10-02Z'),
    (pg_temp.id(4), 'integration', 'Tool', '2025-10-03Z');
insert into people values (pg_temp.id(2), 'alice@example.org'), (pg_temp.id(3), 'bob@example.org');
insert into integrations values (pg_temp.id(4), pg_temp.id(1), 'Reads', pg_temp.id(2));
insert into memberships values
    (pg_temp.id(2), pg_temp.id(1), 'super_admin', '2025-10-01Z', null),
    (pg_temp.id(3), pg_temp.id(1), 'member', '2025-10-02Z', '2025-11-01Z'),
    (pg_temp.id(4), pg_temp.id(1), 'member', '2025-10-03Z', null);
insert into api_keys (api_key_id, actor_id, name, key_hash, last_four, created_by, created_at, revoked_at) values
    (pg_temp.id(5), pg_temp.id(2), 'own', pg_temp.hash('atrp_FirstRelease0000000000000Alice2t6Nzb'), '6Nzb', pg_temp.id(2), '2025-10-01Z', null),
    (pg_temp.id(6), pg_temp.id(2), 'old', pg_temp.hash('atrp_FirstRelease00000000000000Gone2uensW'), 'ensW', pg_temp.id(2), '2025-10-01Z', '2025-10-05Z'),
    (pg_temp.id(7), pg_temp.id(4), 'tool', pg_temp.hash('atro_FirstRelease00000000000000Tool4blecO'), 'lecO', pg_temp.id(2), '2025-10-03Z', null);
insert into invitations values
    (pg_temp.id(8), pg_temp.id(1), 'carol@example.org', 'reader', pg_temp.hash('invitation'), pg_temp.id(2), '2025-10-01Z', '2125-10-01Z', null);
insert into spaces values
    (pg_temp.id(10), pg_temp.id(1), 'Engines', 'All of them', 'open', pg_temp.id(2), '2025-10-01Z', null),
    (pg_temp.id(11), pg_temp.id(1), 'Board', '', 'private', pg_temp.id(2), '2025-10-01Z', null);
insert into space_grants values
    (pg_temp.id(10), pg_temp.id(2), 'admin', '2025-10-01Z'), (pg_temp.id(11), pg_temp.id(2), 'admin', '2025-10-01Z'),
    (pg_temp.id(10), pg_temp.id(4), 'reader', '2025-10-03Z');
insert into rooms values
    (pg_temp.id(12), pg_temp.id(10), 'General', '', 'chat', pg_temp.id(2), '2025-10-01Z', null, null),
    (pg_temp.id(13), pg_temp.id(11), 'Budget', '', 'chat', pg_temp.id(2), '2025-10-01Z', null, null);
insert into messages (room_id, message_id, user_id, sender_type, text, sent_at)
select pg_temp.id(12), pg_temp.message(n), pg_temp.id(2 + n % 2), 'person', 'Note ' || n || E' of "G" \\ Ünïcode',
       to_timestamp(pg_temp.ms(n) / 1000)
from generate_series(1, 300) n;
update messages set parent_id = pg_temp.message(10), thread_root_id = pg_temp.message(10)
where message_id in (pg_temp.message(20), pg_temp.message(30));
update messages set reply_count = 2, last_reply_at = to_timestamp(pg_temp.ms(30) / 1000),
    mentions = array[pg_temp.id(3)], blocks = '[{"type": "divider", "content": {}}]',
    reactions = jsonb_build_array(jsonb_build_object('emoji', '👍', 'user_ids', array[pg_temp.id(3)]))
where message_id = pg_temp.message(10);
update messages set text = 'Changed', edited_at = '2025-11-05Z' where message_id = pg_temp.message(299);
update messages set text = '', deleted_at = '2025-11-05Z' where message_id = pg_temp.message(300);
insert into room_heads values
    (pg_temp.id(12), pg_temp.ms(300) << 12, pg_temp.message(300)), (pg_temp.id(13), 0, null);
insert into blocks values
    (pg_temp.id(12), pg_temp.id(14), null, 0, 'heading', '{"text": "Engines", "level": 2}', 3, pg_temp.id(2), '2025-10-04Z', '2025-10-05Z');
insert into imported values (pg_temp.id(10), 'slack', 'C1', pg_temp.id(12));
