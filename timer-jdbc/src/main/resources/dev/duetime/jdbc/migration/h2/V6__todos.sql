-- Lets todos start, go on and be merged, for H2. Plain SQL: may be run by any tool, after V5.

ALTER TABLE timer_schedules ADD COLUMN started_at bigint;
ALTER TABLE timer_schedules ADD COLUMN waiting_key varchar(255)
    GENERATED ALWAYS AS (CASE WHEN state = 'SCHEDULED' THEN correlation_key END);

COMMENT ON COLUMN timer_schedules.step IS 'What a todo does next; NULL for a timer';
COMMENT ON COLUMN timer_schedules.started_at IS 'Since when that is being done; NULL if it waits';
COMMENT ON COLUMN timer_schedules.waiting_key IS 'The correlation key while it is scheduled: what merges look for';

-- Serves merges. An entry of a timer without a correlation key is written once, and not again when it ends.
CREATE INDEX timer_schedules_correlated ON timer_schedules (waiting_key, queue, due_at);

CREATE TABLE timer_merge_slots (
    queue varchar(64) NOT NULL,
    slot  integer     NOT NULL,
    turn  bigint      NOT NULL,
    PRIMARY KEY (queue, slot)
);

COMMENT ON TABLE timer_merge_slots IS 'Locked while timers of a correlation key are merged; one row for 1/64 of the keys of a queue';
COMMENT ON COLUMN timer_merge_slots.slot IS 'Which of the 64, by a hash of the correlation key';
COMMENT ON COLUMN timer_merge_slots.turn IS 'One more by each lock; of no meaning else';

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
    dateadd(MICROSECOND, previous_at, timestamp with time zone '1970-01-01 00:00:00+00') AS previous_at,
    dateadd(MICROSECOND, started_at, timestamp with time zone '1970-01-01 00:00:00+00') AS started_at
FROM timer_schedules;
