-- To whoever plans while the queue is empty, several of its indexes cost the same, and PostgreSQL takes the newest of them.
-- By the time, a delivery is found among all that its webhook has waiting, and was sent since the last vacuum; so the key is
-- to be newer. What is leased is found in the order of its time, which keeps the key from being taken for that.
-- tests/house/test_queue_plans.py sees which are taken.
alter table due_deliveries drop constraint due_deliveries_pkey, add primary key (webhook_id, delivery_id);
drop index due_deliveries_leased;
create index due_deliveries_leased on due_deliveries (webhook_id, due_at) where leased;
