"""A server that is killed at random under load, and the checks afterwards.

service.py runs the server and kills parts of it · load.py sends, replies, walks, follows, receives · record.py stores
what
each of them saw · checks.py checks it against the promises · run.py is one run of several rounds.
"""
