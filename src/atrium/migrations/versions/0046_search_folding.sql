-- The version of the rules by which the words of the documents were folded. The worker writes documents of an earlier
-- version again.

alter table search_generation add column folding integer not null default 1;
