-- Seconds between the attempts of a webhook's deliveries, and for one attempt; null for those of the installation.
alter table webhooks
    add column retry_schedule integer[],
    add column time_limit smallint;
