"""The SQL of buckets."""

# Returns: bucket
NUMBERS = "select bucket from buckets order by bucket"

# Parameters: $1 room_id
# Returns: bucket
OF_ROOM = "select bucket from rooms where room_id = $1"

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

# Returns: path
PATH = "select current_setting('search_path') as path"

# Look up the names of tables in a bucket, until the end of the transaction.
# Parameters: $1 bucket
# Returns: set_config
ENTER = "select set_config('search_path', path_of_bucket($1), true)"

# Parameters: $1 path
# Returns: set_config
RETURN = "select set_config('search_path', $1, true)"
