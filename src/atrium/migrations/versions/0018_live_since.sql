-- A crash takes transactions back that were seen but not on the disk yet, and their numbers are given out again: what a
-- snapshot from before it says of them is true of others now. It also empties every unlogged table, and a stop in order
-- does not. So whatever stands here tells the time since one crash from the time since another.
create unlogged table live_since (
    one boolean primary key default true check (one),
    crash uuid not null default gen_random_uuid()
);
