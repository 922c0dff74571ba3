-- Lets the poll see scheduled rows only: a row that somebody set to another state without clearing wake_at was in the
-- index, was read as due, and matched no outcome. Plain SQL: may be run by any tool.

DROP INDEX timer_schedules_wake;

-- Serves the poll: only rows that wait are in it.
CREATE INDEX timer_schedules_wake ON timer_schedules (queue, shard, wake_at) WHERE state = 'SCHEDULED';
