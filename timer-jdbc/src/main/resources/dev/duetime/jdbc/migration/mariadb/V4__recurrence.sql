-- Lets recurring timers tell their last occurrence, for MariaDB and MySQL. Plain SQL: may be run by any tool, after V3.

ALTER TABLE timer_schedules ADD COLUMN previous_at bigint COMMENT 'Due time of the occurrence that was delivered last; NULL if none was';

-- The timers with real timestamps (UTC) and without their payloads, for people.
CREATE OR REPLACE VIEW timer_schedules_readable AS
SELECT
    tenant_id,
    timer_id,
    queue,
    shard,
    state,
    timestampadd(MICROSECOND, due_at, timestamp '1970-01-01 00:00:00') AS due_at,
    timestampadd(MICROSECOND, wake_at, timestamp '1970-01-01 00:00:00') AS wake_at,
    timestampadd(MICROSECOND, expires_at, timestamp '1970-01-01 00:00:00') AS expires_at,
    generation,
    attempt,
    revision,
    type,
    octet_length(payload) AS payload_bytes,
    headers,
    priority,
    correlation_id,
    parallel_key,
    correlation_key,
    recurrence,
    step,
    timestampadd(MICROSECOND, registered_at, timestamp '1970-01-01 00:00:00') AS registered_at,
    timestampadd(MICROSECOND, settled_at, timestamp '1970-01-01 00:00:00') AS settled_at,
    error,
    timestampadd(MICROSECOND, first_failed_at, timestamp '1970-01-01 00:00:00') AS first_failed_at,
    timestampadd(MICROSECOND, last_failed_at, timestamp '1970-01-01 00:00:00') AS last_failed_at,
    timestampadd(MICROSECOND, previous_at, timestamp '1970-01-01 00:00:00') AS previous_at
FROM timer_schedules;
