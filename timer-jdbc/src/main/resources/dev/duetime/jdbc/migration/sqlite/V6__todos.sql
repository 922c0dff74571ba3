-- Lets todos start, go on and be merged, for SQLite. Plain SQL: may be run by any tool, after V5.

-- Since when the step of a todo is being done; NULL if it waits. The step is NULL for a timer
ALTER TABLE timer_schedules ADD COLUMN started_at INTEGER;

-- Serves merges: only timers that wait and have a correlation key are in it.
CREATE INDEX timer_schedules_correlated ON timer_schedules (queue, correlation_key, due_at)
    WHERE state = 'SCHEDULED' AND correlation_key IS NOT NULL;

-- Locked while timers of a correlation key are merged; one row for 1/64 of the keys of a queue.
CREATE TABLE timer_merge_slots (
    queue TEXT    NOT NULL,
    -- Which of the 64, by a hash of the correlation key
    slot  INTEGER NOT NULL,
    -- One more by each lock; of no meaning else
    turn  INTEGER NOT NULL,
    PRIMARY KEY (queue, slot)
);

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
    strftime('%Y-%m-%dT%H:%M:%fZ', previous_at / 1000000.0, 'unixepoch') AS previous_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', started_at / 1000000.0, 'unixepoch') AS started_at
FROM timer_schedules;
