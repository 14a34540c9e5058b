"""A server that is killed at random under load, and the checks afterwards.

- service.py runs the server and kills parts of it.
- load.py sends, replies, walks, follows and receives.
- record.py stores all that senders, receivers and streams saw.
- checks.py compares the record with the promises.
- run.py is one run of several rounds.
"""
