"""The SQL of search."""

# The stems of words by PostgreSQL's dictionaries. A stop word of any of the languages is marked.
# Parameters: $1 words, $2 languages
# Returns: word, stems, is_stop_word
STEMS = """
select word, coalesce(array_agg(distinct stem) filter (where stem <> word), '{}') as stems,
       coalesce(bool_or(lexemes = '{}'), false) as is_stop_word
from unnest($1::text[]) word cross join unnest($2::text[]) language
left join lateral ts_lexize((language || '_stem')::regdictionary, word) lexemes on true
left join lateral unnest(lexemes) stem on true
group by word
"""

# Lock some rooms that have messages to index; only the worker that has a row's lock indexes its room. A later statement
# reads the messages, so that it sees what was committed before the lock was taken.
# Parameters: $1 limit
# Returns: room_id
CLAIM = """
select s.room_id from search_heads s join room_heads h using (room_id)
where h.last_message_id > s.indexed_id
order by random() limit $1
for update of s skip locked
"""

# The next messages to index. `text` is null if a message need not be indexed; `found` counts the messages of its room.
# Parameters: $1 room_ids, $2 limit for each room, $3 limit of all in bytes; the last message may exceed it
# Returns: room_id, space_id, organization_id, last_message_id, message_id, user_id, found, text, blocks (JSON)
UNINDEXED = """
select room_id, space_id, organization_id, last_message_id, message_id, user_id, found,
       case when wanted then text end as text, blocks::text
from (
    select s.room_id, space.space_id, space.organization_id, h.last_message_id, m.*,
           count(m.message_id) over (partition by s.room_id) as found,
           sum(m.bytes) over (order by s.room_id, m.message_id rows between unbounded preceding and 1 preceding)
               as bytes_before
    from search_heads s join room_heads h using (room_id) join rooms using (room_id) join spaces space using (space_id)
    left join lateral (
        select m.message_id, m.user_id, m.text, m.blocks, octet_length(m.rendered) as bytes,
               m.deleted_at is null and not exists (
                   select from message_search known
                   where known.room_id = s.room_id and known.message_id = m.message_id
                     and known.generation = (select generation from search_generation)) as wanted
        from messages m where m.room_id = s.room_id and m.message_id > s.indexed_id
        order by m.message_id limit $2) m on true
    where s.room_id = any($1::uuid[])) near
where coalesce(bytes_before, 0) < $3
order by room_id, message_id
"""

# Write documents, each in place of an older one.
# Parameters: $1 room_ids, $2 message_ids, $3 user_ids, $4 documents (tsvectors as text): arrays, an element per message
PUT = """
insert into message_search (room_id, message_id, user_id, generation, document)
select room_id, message_id, user_id, (select generation from search_generation), document::tsvector
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) as given (room_id, message_id, user_id, document)
on conflict (room_id, message_id) do update
set document = excluded.document, generation = excluded.generation
"""

# Parameters: $1 room_ids, $2 message_ids: arrays; each room is indexed up to its message
ADVANCE = """
update search_heads s set indexed_id = moved.indexed_id
from unnest($1::uuid[], $2::uuid[]) as moved (room_id, indexed_id) where s.room_id = moved.room_id
"""

# The number of live events so far. Every send publishes one, an import does not.
# Returns: last_value
SENDS = "select last_value from live_events_seq"

# Parameters: $1 room_id
LOCK = "select from search_heads where room_id = $1 for update"

# Parameters: $1 room_id
# Returns: room_id, space_id, organization_id
PLACE = """
select r.room_id, s.space_id, s.organization_id from rooms r join spaces s using (space_id) where r.room_id = $1
"""

# Parameters: $1 room_id, $2 message_id
REMOVE = "delete from message_search where room_id = $1 and message_id = $2"

# Index a room again from a message on. An import adds messages older than those that are indexed.
# Parameters: $1 room_id, $2 the last message_id that stays indexed
REWIND = "update search_heads set indexed_id = least(indexed_id, $2) where room_id = $1"

# Start a new generation of documents if the languages or the folding of words has changed. The old documents stay
# usable meanwhile.
# Parameters: $1 languages, $2 version of the folding
# Returns: generation
SET_LANGUAGES = """
update search_generation set languages = $1, folding = $2, generation = generation + 1
where languages <> $1 or folding <> $2
returning generation
"""

# Index every room again from its beginning.
RESTART = "update search_heads set indexed_id = '00000000-0000-0000-0000-000000000000'"

# Delete some documents of deleted rooms and spaces.
# Parameters: $1 now
PURGE = """
delete from message_search where (room_id, message_id) in (
    select found.room_id, found.message_id from message_search found
    where found.room_id in (select r.room_id from rooms r join spaces s using (space_id)
                            where coalesce(r.deleted_at, s.deleted_at) < $1)
    limit 5000)
"""

# The spaces that an actor can access.
# Parameters: $1 organization_id, $2 actor_id, $3 actor's kind
# Returns: space_id
ACCESSIBLE_SPACES = """
select s.space_id from spaces s join lateral role_in($2, $3, s.space_id) access on true where s.organization_id = $1
"""

# The rooms that an actor can access.
# Parameters: $1 organization_id, $2 actor_id, $3 actor's kind
# Returns: room_id, name, space_id, space_name
ACCESSIBLE_ROOMS = """
select r.room_id, r.name, s.space_id, s.name as space_name
from spaces s join lateral role_in($2, $3, s.space_id) access on true
join rooms r on r.space_id = s.space_id and r.deleted_at is null
where s.organization_id = $1
"""

# The people and integrations of an organization, former ones too.
# Parameters: $1 organization_id
# Returns: actor_id, name, email
ACTORS = """
select a.actor_id, coalesce(m.pending_name, a.name) as name,
       case when m.active_when_proven is null then p.email else m.pending_email end as email
from memberships m join actors a using (actor_id) left join people p on p.person_id = a.actor_id
where m.organization_id = $1
"""

# A page of hits, by score and then newest first. Without a query that ranks, all scores are 0 and only time orders.
# The index finds the hits before anything is joined, regardless of the planner's estimate.
# A passage of a transcript has its own id in place of a message id. `offset 0` keeps the lookup of each message shown
# from becoming a scan of all messages.
# Parameters: $1 organization_id, $2 actor_id, $3 actor's kind, $4 tsquery with the scope, $5 tsquery that ranks by
# frequency or an empty string, $6 tsquery that ranks by distance, $7 room_ids or null, $8 sender ids or null,
# $9 first id, $10 id after the last, $11 only with reactions, $12 only in threads, $13 score and $14 id of the last hit
# before this page or null, $15 limit, $16 the number at which counting stops
# Returns: room_id, message_id, user_id, recording_id, score, room_name, space_id, space_name, sender_type, sender_name,
# thread_root_id, sent_at, edited_at, text, blocks (JSON), recording_name, start_ms, published_at, count (of all hits,
# on the first page only)
SEARCH = """
with found as materialized (
    select room_id, message_id, user_id, null::uuid as recording_id,
           case when $5::text <> '' then
               ((ts_rank(document, $5::text::tsquery, 1) + ts_rank(document, $6::text::tsquery, 1)) * 1e6)::int
           else 0 end as score
    from message_search where document @@ $4::text::tsquery
    union all
    select room_id, passage_id, null, recording_id,
           case when $5::text <> '' then
               ((ts_rank(document, $5::text::tsquery, 1) + ts_rank(document, $6::text::tsquery, 1)) * 1e6)::int
           else 0 end
    from transcript_search where document @@ $4::text::tsquery
), reached as materialized (
    select r.room_id, r.name as room_name, s.space_id, s.name as space_name
    from spaces s join lateral role_in($2, $3, s.space_id) access on true
    join rooms r on r.space_id = s.space_id and r.deleted_at is null
    where s.organization_id = $1 and ($7::uuid[] is null or r.room_id = any($7))
), hits as materialized (
    select found.* from found join reached using (room_id)
    where message_id >= $9 and message_id < $10 and ($8::uuid[] is null or user_id = any($8))
      and (not $11::bool or exists (
          select from messages m where m.room_id = found.room_id and m.message_id = found.message_id
          and m.reactions <> '[]'))
      and (not $12::bool or exists (
          select from messages m where m.room_id = found.room_id and m.message_id = found.message_id
          and (m.reply_count > 0 or m.thread_root_id is not null)))
), page as materialized (
    select * from hits join reached using (room_id)
    where ($13::int is null or (score, message_id) < ($13, $14))
    order by score desc, message_id desc limit $15
)
select page.*, m.sender_type, coalesce(member.pending_name, a.name) as sender_name, m.thread_root_id, m.sent_at,
       m.edited_at,
       coalesce(m.text, t.said) as text, coalesce(m.blocks::text, '[]') as blocks, t.recording_name, t.start_ms,
       time_of_ms(id_ms(page.message_id)) as published_at,
       case when $14 is null then (select count(*) from (select from hits limit $16) counted) end as count
from page
left join lateral (
    select * from messages m
    where m.room_id = page.room_id and m.message_id = page.message_id and m.deleted_at is null
      and page.recording_id is null offset 0) m on true
left join lateral (
    select t.said, t.start_ms, rec.name as recording_name
    from transcript_search t join recordings rec using (room_id, recording_id)
    where t.room_id = page.room_id and t.recording_id = page.recording_id and t.passage_id = page.message_id
      and rec.deleted_at is null offset 0) t on true
left join actors a on a.actor_id = page.user_id
left join memberships member on member.actor_id = page.user_id and member.organization_id = $1
where coalesce(m.text, t.said) is not null
order by score desc, message_id desc
"""
