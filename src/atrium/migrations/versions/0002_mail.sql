-- Mail on its way out: put down in the transaction of what it tells of, sent afterwards, kept for a month.
-- What has no next attempt is done with: sent, where sent_at says so, and refused for good where it does not.

create table mails (
    mail_id uuid primary key,
    recipient text not null,
    subject text not null,
    body text not null,
    created_at timestamptz not null,
    sent_at timestamptz,
    attempts integer not null default 0,
    next_attempt_at timestamptz,
    last_error text,
    check (sent_at is null or next_attempt_at is null)
);
create index mails_that_wait on mails (next_attempt_at) where next_attempt_at is not null;
create index mails_by_age on mails (created_at);
