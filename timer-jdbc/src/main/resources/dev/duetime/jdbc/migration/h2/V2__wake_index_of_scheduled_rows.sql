-- Lets the poll see scheduled rows only: a row that somebody set to another state without clearing wake_at was read as
-- due, and matched no outcome. Plain SQL: may be run by any tool.

DROP INDEX timer_schedules_wake;

-- Serves the poll, which enters it at SCHEDULED.
CREATE INDEX timer_schedules_wake ON timer_schedules (queue, shard, state, wake_at);
