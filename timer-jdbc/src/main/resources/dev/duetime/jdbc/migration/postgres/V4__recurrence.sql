-- Lets recurring timers tell their last occurrence, for PostgreSQL. Plain SQL: may be run by any tool, after V3.

ALTER TABLE timer_schedules ADD COLUMN previous_at bigint;

COMMENT ON COLUMN timer_schedules.due_at IS 'When it is due; of a recurring timer, its current occurrence';
COMMENT ON COLUMN timer_schedules.recurrence IS 'How it recurs, as Recurrence.parse reads it; NULL for once';
COMMENT ON COLUMN timer_schedules.previous_at IS 'Due time of the occurrence that was delivered last; NULL if none was';

-- The timers with real timestamps and without their payloads, for people.
CREATE OR REPLACE VIEW timer_schedules_readable AS
SELECT
    tenant_id,
    timer_id,
    queue,
    shard,
    state,
    timestamptz 'epoch' + due_at * interval '1 microsecond' AS due_at,
    timestamptz 'epoch' + wake_at * interval '1 microsecond' AS wake_at,
    timestamptz 'epoch' + expires_at * interval '1 microsecond' AS expires_at,
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
    timestamptz 'epoch' + registered_at * interval '1 microsecond' AS registered_at,
    timestamptz 'epoch' + settled_at * interval '1 microsecond' AS settled_at,
    error,
    timestamptz 'epoch' + first_failed_at * interval '1 microsecond' AS first_failed_at,
    timestamptz 'epoch' + last_failed_at * interval '1 microsecond' AS last_failed_at,
    timestamptz 'epoch' + previous_at * interval '1 microsecond' AS previous_at
FROM timer_schedules;
