-- Lets recurring timers tell their last occurrence, for SQLite. Plain SQL: may be run by any tool, after V3.

-- Due time of the occurrence that was delivered last; NULL if none was
ALTER TABLE timer_schedules ADD COLUMN previous_at INTEGER;

-- The timers with real timestamps (UTC) and without their payloads, for people.
DROP VIEW timer_schedules_readable;

CREATE VIEW timer_schedules_readable AS
SELECT
    tenant_id,
    timer_id,
    queue,
    shard,
    state,
    strftime('%Y-%m-%dT%H:%M:%fZ', due_at / 1000000.0, 'unixepoch') AS due_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', wake_at / 1000000.0, 'unixepoch') AS wake_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', expires_at / 1000000.0, 'unixepoch') AS expires_at,
    generation,
    attempt,
    revision,
    type,
    length(payload) AS payload_bytes,
    headers,
    priority,
    correlation_id,
    parallel_key,
    correlation_key,
    recurrence,
    step,
    strftime('%Y-%m-%dT%H:%M:%fZ', registered_at / 1000000.0, 'unixepoch') AS registered_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', settled_at / 1000000.0, 'unixepoch') AS settled_at,
    error,
    strftime('%Y-%m-%dT%H:%M:%fZ', first_failed_at / 1000000.0, 'unixepoch') AS first_failed_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', last_failed_at / 1000000.0, 'unixepoch') AS last_failed_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', previous_at / 1000000.0, 'unixepoch') AS previous_at
FROM timer_schedules;
