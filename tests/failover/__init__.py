"""Failovers under Patroni with etcd: `make test-failover`."""
