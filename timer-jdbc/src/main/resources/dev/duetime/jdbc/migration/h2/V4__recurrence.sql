-- Lets recurring timers tell their last occurrence, for H2. Plain SQL: may be run by any tool, after V3.

ALTER TABLE timer_schedules ADD COLUMN previous_at bigint;

COMMENT ON COLUMN timer_schedules.previous_at IS 'Due time of the occurrence that was delivered last; NULL if none was';

-- The timers with real timestamps (UTC) and without their payloads, for people.
CREATE OR REPLACE VIEW timer_schedules_readable AS
SELECT
    tenant_id,
    timer_id,
    queue,
    shard,
    state,
    dateadd(MICROSECOND, due_at, timestamp with time zone '1970-01-01 00:00:00+00') AS due_at,
    dateadd(MICROSECOND, wake_at, timestamp with time zone '1970-01-01 00:00:00+00') AS wake_at,
    dateadd(MICROSECOND, expires_at, timestamp with time zone '1970-01-01 00:00:00+00') AS expires_at,
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
    dateadd(MICROSECOND, registered_at, timestamp with time zone '1970-01-01 00:00:00+00') AS registered_at,
    dateadd(MICROSECOND, settled_at, timestamp with time zone '1970-01-01 00:00:00+00') AS settled_at,
    error,
    dateadd(MICROSECOND, first_failed_at, timestamp with time zone '1970-01-01 00:00:00+00') AS first_failed_at,
    dateadd(MICROSECOND, last_failed_at, timestamp with time zone '1970-01-01 00:00:00+00') AS last_failed_at,
    dateadd(MICROSECOND, previous_at, timestamp with time zone '1970-01-01 00:00:00+00') AS previous_at
FROM timer_schedules;
