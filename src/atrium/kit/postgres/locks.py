"""The numbers of PostgreSQL's advisory locks, and who takes each of them.

All of them are defined here, so that no two features use the same one. SQL functions repeat the numbers that they use;
`tests/house/test_locks.py` compares them.
"""

# Exclusive: a change of the schema, or a restore. Shared: a backup while it copies tables.
SCHEMA = 4125871
# Exclusive (try-lock): keep_deliveries, which creates and drops partitions. Shared: a backup.
DELIVERY_PARTITIONS = 4125872
# Exclusive, with a hash of the target's id: an import, so that each target has at most one.
IMPORT = 4125873
# Exclusive (try-lock): keep_live_events, which creates and drops partitions. Shared: a backup.
LIVE_EVENT_PARTITIONS = 4125874
# Shared: a backup until it has copied the media, because removed media must stay in the storage until then.
MEDIA = 4125875
# Exclusive: the creation of the first organization, so that an empty server gets exactly one.
FIRST_ORGANIZATION = 4125876
# Exclusive: a worker that is awake. Senders try it in shared mode (wake_workers), and notify if no worker holds it.
AWAKE_WORKER = 4125877
# Exclusive, with a hash of the organization's id: an upload that reads the remaining quota and reserves its share.
UPLOAD_QUOTA = 4125878
# Exclusive, with a hash of the subject's id: a request that changes it.
SUBJECT = 4125879
# Exclusive (try-lock), with a hash of the organization's id: a preview of subscriptions, so that an organization runs
# one at a time.
PREVIEW = 4125889
