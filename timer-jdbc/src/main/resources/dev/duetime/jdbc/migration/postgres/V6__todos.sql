-- Lets todos start, go on and be merged, for PostgreSQL. Plain SQL: may be run by any tool, after V5.
-- On Citus, distribute timer_merge_slots by queue.

ALTER TABLE timer_schedules ADD COLUMN started_at bigint;

COMMENT ON COLUMN timer_schedules.step IS 'What a todo does next; NULL for a timer';
COMMENT ON COLUMN timer_schedules.started_at IS 'Since when that is being done; NULL if it waits';

-- Serves merges: only timers that wait and have a correlation key are in it.
CREATE INDEX timer_schedules_correlated ON timer_schedules (queue, correlation_key, due_at)
    WHERE state = 'SCHEDULED' AND correlation_key IS NOT NULL;

CREATE TABLE timer_merge_slots (
    queue text COLLATE "C" NOT NULL,
    slot  integer          NOT NULL,
    turn  bigint           NOT NULL,
    PRIMARY KEY (queue, slot)
);

COMMENT ON TABLE timer_merge_slots IS 'Locked while timers of a correlation key are merged; one row for 1/64 of the keys of a queue';
COMMENT ON COLUMN timer_merge_slots.slot IS 'Which of the 64, by a hash of the correlation key';
COMMENT ON COLUMN timer_merge_slots.turn IS 'One more by each lock; of no meaning else';

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
    timestamptz 'epoch' + previous_at * interval '1 microsecond' AS previous_at,
    timestamptz 'epoch' + started_at * interval '1 microsecond' AS started_at
FROM timer_schedules;
