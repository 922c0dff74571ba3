-- Lets the poll see scheduled rows only: a row that somebody set to another state without clearing wake_at was read as
-- due, and matched no outcome. The state is a column of the index, so that the poll still reads keys from it alone.
-- Plain SQL: may be run by any tool.

-- Serves the poll, which enters it at SCHEDULED.
ALTER TABLE timer_schedules
    DROP INDEX timer_schedules_wake,
    ADD INDEX timer_schedules_wake (queue, shard, state, wake_at);
