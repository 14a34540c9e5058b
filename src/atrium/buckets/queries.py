"""The SQL of buckets."""

from atrium.kit.postgres import locks
from atrium.kit.postgres.hosts import APPLICATION

# Returns: bucket
NUMBERS = "select bucket from buckets order by bucket"

# It waits for a move of the room to end, so that nobody goes where the room no longer is.
# Parameters: $1 room_id
# Returns: bucket
OF_ROOM = "select bucket from rooms where room_id = $1 for key share"

# The bucket of a new room: that of its organization, if it has one, or the one with the fewest messages; of several,
# the one with the fewest rooms.
# Parameters: $1 space_id
# Returns: bucket
FOR_NEW_ROOM = """
select coalesce(o.bucket, (
    select b.bucket from buckets b
    order by b.messages, case when exists (select from buckets where bucket > 0)
                              then (select count(*) from rooms r where r.bucket = b.bucket) end, b.bucket desc
    limit 1)) as bucket
from spaces s join organizations o using (organization_id) where s.space_id = $1
"""

# Look up the names of tables in a bucket, until the end of the transaction. The answer is where they were looked up.
# Parameters: $1 bucket
# Returns: path, set_config
ENTER = """
with before as materialized (select current_setting('search_path') as path)
select path, set_config('search_path', path_of_bucket($1), true) from before
"""

# Parameters: $1 path
# Returns: set_config
RETURN = "select set_config('search_path', $1, true)"

# The table of messages of each bucket: PostgreSQL's own estimate of its rows, which vacuum and analyze keep, and its
# tablespace.
_ESTIMATES = """
select bucket, schema, greatest(reltuples, 0)::bigint as messages, spcname as tablespace
from (select bucket, case when bucket > 0 then 'bucket_' || bucket else 'public' end as schema from buckets) each_bucket
join pg_class c on c.oid = to_regclass(schema || '.messages')
join pg_database on datname = current_database()
join pg_tablespace t on t.oid = coalesce(nullif(reltablespace, 0), dattablespace)
"""

# All buckets: how many rooms are in each, how many bytes its tables and indexes take on the disk, their tablespace, and
# the organizations whose new rooms are in it.
# Parameters: $1 tables
# Returns: bucket, rooms, messages, bytes, tablespace, organizations
LIST = f"""
select bucket, (select count(*) from rooms r where r.bucket = b.bucket) as rooms, messages,
       (select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
        from unnest($1::text[]) t
        join pg_class c on coalesce(pg_partition_root(c.oid), c.oid) = to_regclass(schema || '.' || t)
        where c.relkind = 'r') as bytes, tablespace,
       array(select name from organizations o where o.bucket = b.bucket order by name) as organizations
from ({_ESTIMATES}) b order by bucket
"""

# Parameters: $1 organization_id
# Returns: bucket
OF_ORGANIZATION = "select bucket from organizations where organization_id = $1"

# Parameters: $1 organization_id, $2 bucket, or null
ASSIGN = "update organizations set bucket = $2 where organization_id = $1"

# Note how many messages each bucket has, for the choice of a new room's. With one bucket there is no choice.
COUNT_MESSAGES = f"""
update buckets b set messages = found.messages from ({_ESTIMATES}) found
where found.bucket = b.bucket and found.messages <> b.messages and exists (select from buckets where bucket > 0)
"""

# Connections of other processes of Atrium to this database.
# Returns: count
PROCESSES = f"""
select count(*) from pg_stat_activity
where datname = current_database() and application_name = '{APPLICATION}' and pid <> pg_backend_pid()
"""

# Wait until nobody changes the schema, and let nobody do so until the end of the transaction.
LOCK = f"select pg_advisory_xact_lock({locks.SCHEMA})"

# A room that can move, with its organization.
# Parameters: $1 room_id
# Returns: name, bucket, organization_id
ROOM = """
select r.name, r.bucket, s.organization_id from rooms r join spaces s using (space_id)
where r.room_id = $1 for update of r
"""

# The statements that move the rows of a room from one bucket to another, each with the room as its parameter. Those of
# `room_heads` come after those of `search_heads`: otherwise its trigger would begin another search head.
# Parameters: $1 tables, $2 schema of the room, $3 schema to move to
# Returns: statement
MOVES = """
select format('with moved as (delete from %1$I.%2$I where %5$I = $1 returning %4$s) insert into %3$I.%2$I (%4$s) '
              'select %4$s from moved', $2::text, t, $3::text,
              (select string_agg(format('%I', attname), ', ' order by attnum) from pg_attribute
               where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''),
              case when t = 'idempotency_keys' then 'scope_id' else 'room_id' end) as statement
from unnest($1::text[]) t join pg_class c on c.oid = to_regclass(format('%I.%I', $2::text, t)) order by t desc
"""

# The statements that move the deliveries of a room that wait, first those of the log, each with the room as its
# parameter. They get new positions, in their order and before those of the room's next events.
# Parameters: $1 schema of the room, $2 schema to move to
# Returns: statement
MOVES_OF_WAITING = """
select format(statement, $1::text, $2::text) as statement from (values
    (1, 'with moved as (delete from %1$I.deliveries d using %1$I.due_deliveries due where due.subject_id = $1 '
        'and d.webhook_id = due.webhook_id and d.delivery_id = due.delivery_id returning d.*) '
        'insert into %2$I.deliveries select * from moved'),
    (2, 'with moved as (delete from %1$I.due_deliveries where subject_id = $1 returning *) '
        'insert into %2$I.due_deliveries (webhook_id, delivery_id, due_at, attempts_made, manual, leased, subject_id) '
        'select webhook_id, delivery_id, due_at, attempts_made, manual, leased, subject_id from moved '
        'order by moved.position')) moves (nr, statement)
order by nr
"""

# Parameters: $1 room_id, $2 bucket
MOVE = "update rooms set bucket = $2 where room_id = $1"
