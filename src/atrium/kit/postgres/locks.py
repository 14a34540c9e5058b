"""The numbers of PostgreSQL's advisory locks, each with who takes it and why.

They stand here and nowhere else, so that no two features share one. Migrations, which never change, repeat the numbers
that their functions take; `tests/house/test_locks.py` compares them.
"""

# Exclusive: whoever changes the schema or restores a backup. Shared: a backup while it copies tables.
SCHEMA = 4125871
# Exclusive, tried: keep_deliveries (migration 0003), which creates and drops partitions. Shared: a backup meanwhile.
DELIVERY_PARTITIONS = 4125872
# Exclusive, with a hash of the target's id: an import, so that a target has one at a time.
IMPORT = 4125873
# Exclusive, tried: keep_live_events (migration 0007), which creates and drops partitions. Shared: a backup meanwhile.
LIVE_EVENT_PARTITIONS = 4125874
# Shared: a backup until it has copied the media; while it is taken, dropped media stays in the storage.
MEDIA = 4125875
# Exclusive: who creates the first organization, so that an empty server gets one.
FIRST_ORGANIZATION = 4125876
# Exclusive: a worker that is awake. Senders try it shared (migration 0015) and notify only where nobody has it.
AWAKE_WORKER = 4125877
# Exclusive, with a hash of the organization's id: an upload that asks how much space is left and reserves it.
UPLOAD_QUOTA = 4125878
