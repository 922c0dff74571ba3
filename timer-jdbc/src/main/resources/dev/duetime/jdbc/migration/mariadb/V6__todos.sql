-- Lets todos start, go on and be merged, for MariaDB and MySQL. Plain SQL: may be run by any tool, after V5.

ALTER TABLE timer_schedules
    MODIFY COLUMN step varchar(255) COMMENT 'What a todo does next; NULL for a timer',
    ADD COLUMN started_at bigint COMMENT 'Since when that is being done; NULL if it waits',
    ADD COLUMN waiting_key varchar(255)
        GENERATED ALWAYS AS (CASE WHEN state = 'SCHEDULED' THEN correlation_key END) STORED
        COMMENT 'The correlation key while it is scheduled: what merges look for';

-- Serves merges. The column is stored: by the index of a virtual one, MariaDB 10.11 did not find a row that the same
-- transaction had just left as the only one. An entry of a timer without a correlation key is written once, and not again when it ends.
CREATE INDEX timer_schedules_correlated ON timer_schedules (waiting_key, queue, due_at);

CREATE TABLE timer_merge_slots (
    queue varchar(64) NOT NULL,
    slot  int         NOT NULL COMMENT 'Which of the 64, by a hash of the correlation key',
    turn  bigint      NOT NULL COMMENT 'One more by each lock; of no meaning else',
    PRIMARY KEY (queue, slot)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4
    /*M! COLLATE = utf8mb4_nopad_bin */ /*!80017 COLLATE = utf8mb4_0900_bin */
    COMMENT = 'Locked while timers of a correlation key are merged; one row for 1/64 of the keys of a queue';

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
    timestampadd(MICROSECOND, previous_at, timestamp '1970-01-01 00:00:00') AS previous_at,
    timestampadd(MICROSECOND, started_at, timestamp '1970-01-01 00:00:00') AS started_at
FROM timer_schedules;
