-- Return milliseconds since 1970 as JSON: a time, or null. Every page of messages has two of these.
create or replace function json_time_of_ms(ms bigint) returns text
language sql stable parallel safe
return coalesce(to_char(timestamp 'epoch' + ms * interval '1 millisecond',
                        '"\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\""'), 'null');
