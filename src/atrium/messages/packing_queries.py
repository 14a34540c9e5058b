"""The SQL of moving messages next to others of their room."""

# Only one worker moves messages. While its transaction is open, PostgreSQL frees no space on the pages that messages
# leave; a message that found space on its own page would stay there. In a table that fits into memory none has to move.
# Returns: until
BEGIN = """
select until from packing
where pg_relation_size('messages') > pg_size_bytes(current_setting('effective_cache_size'))
for update skip locked
"""

# Parameters: $1 until
END = "update packing set until = $1"

# Count the messages of a batch and their rooms.
# Parameters: $1 and $2 ms, $3 number of messages to count
# Returns: messages, rooms
COUNT = """
select count(*) as messages, count(distinct room_id) as rooms
from (
    select head.room_id from room_heads head cross join lateral (
        select from messages m
        where m.room_id = head.room_id and m.message_id >= id_floor($1) and m.message_id < id_floor($2)
        limit $3) found
    where head.last_message_id >= id_floor($1) limit $3) counted
"""

# Parameters: $1 ms
# Returns: room_id
ROOMS = "select room_id from room_heads where last_message_id >= id_floor($1) order by room_id"

# Move the next messages of a room. It waits for no lock, so that it takes part in no deadlock: a message that is being
# changed stays where it is. The answer is the last one that it looked at; null, if there are none.
# Parameters: $1 room_id, $2 the last message moved, $3 ms, $4 number of messages
# Returns: message_id
MOVE = """
with slice as materialized (
    select message_id from messages
    where room_id = $1 and message_id > $2 and message_id < id_floor($3)
    order by message_id limit $4 for no key update skip locked
), moved as (
    update messages set packed = true where room_id = $1 and message_id = any(array(select message_id from slice))
)
select message_id from slice order by message_id desc limit 1
"""

# Let the next batch have the pages that this one left, so that the table does not grow by the whole history.
VACUUM = "vacuum (skip_locked, truncate false) messages"
