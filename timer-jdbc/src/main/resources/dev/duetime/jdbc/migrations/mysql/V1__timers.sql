-- The tables of Duetime, for MySQL 8. Plain SQL: may be run by any tool.
-- Times are microseconds since 1970-01-01T00:00Z: exact, and the same in every time zone.
-- Texts that are compared are bytes in UTF-8, four of them for each character: the collations of MySQL 8.0 up to 8.0.16
-- take different keys for one, by case, accent or trailing space. timer_schedules_readable shows them as text.
-- MySQL commits each statement by itself. So each one does all of its work or none, and does nothing the second time:
-- after an interruption the whole file is run again.

-- One row a timer or todo. For people: timer_schedules_readable.
CREATE TABLE IF NOT EXISTS timer_schedules (
    tenant_id       varbinary(1020) NOT NULL COMMENT 'Whose timer it is; first part of the key',
    timer_id        varbinary(1020) NOT NULL COMMENT 'Which timer or todo it is; second part of the key',
    scope           varbinary(256)  NOT NULL DEFAULT '' COMMENT 'Empty for a timer, else the queue; third part of key',
    queue           varbinary(256)  NOT NULL COMMENT 'Where it is delivered',
    shard           int             NOT NULL COMMENT 'The slice of the queue that it lies in; see timer_shards',
    due_at          bigint          NOT NULL COMMENT 'When it is due; if it recurs, its current occurrence',
    wake_at         bigint COMMENT 'When the engine reads it next: due_at or a retry; NULL iff it has ended',
    expires_at      bigint COMMENT 'The last instant at which delivery is still useful; NULL for none',
    state           varchar(16)     NOT NULL COMMENT 'SCHEDULED, REACHED, EXPIRED, DEAD or CANCELLED',
    generation      bigint          NOT NULL COMMENT 'Token of the current schedule; only its outcomes match',
    attempt         int             NOT NULL COMMENT 'How many deliveries were tried and counted',
    revision        int             NOT NULL COMMENT '0 when created, one more by each reschedule',
    type            varbinary(1020) NOT NULL COMMENT 'The user''s name for this kind of timer',
    payload         mediumblob      NOT NULL COMMENT 'What it carries; empty for nothing',
    headers         mediumtext COMMENT 'The user''s headers: a JSON object of strings; NULL if there are none',
    trace           mediumtext COMMENT 'Trace context of the call that scheduled it; likewise, not compared',
    priority        int             NOT NULL COMMENT 'Among due timers read together, higher goes first',
    correlation_id  varbinary(1020) COMMENT 'The user''s id of the conversation that it belongs to',
    parallel_key    varbinary(1020) COMMENT 'Timers of one key in a queue are delivered one at a time',
    correlation_key varbinary(1020) COMMENT 'Timers of one key in a queue may be merged',
    recurrence      varchar(1000) COMMENT 'How it recurs, as Recurrence.parse reads it; NULL for once',
    catch_up        varchar(16) COMMENT 'What becomes of missed occurrences: ALL, LATEST or NONE; NULL for once',
    step            varbinary(1020) COMMENT 'What a todo does next; NULL for a timer',
    registered_at   bigint          NOT NULL COMMENT 'When the current schedule was accepted',
    started_at      bigint COMMENT 'Since when the step is being done; NULL if it waits',
    settled_at      bigint COMMENT 'When it ended; NULL while it is scheduled',
    error           varchar(2000) COMMENT 'Class and message of the last failure; NULL if none',
    first_failed_at bigint COMMENT 'When the first failure happened',
    last_failed_at  bigint COMMENT 'When the last failure happened',
    previous_at     bigint COMMENT 'Due time of the occurrence that was delivered last; NULL if none was',
    waiting_key     varbinary(1020)
        GENERATED ALWAYS AS (CASE WHEN state = 'SCHEDULED' THEN correlation_key END) STORED
        COMMENT 'The correlation key while it is scheduled: merges look for it',
    PRIMARY KEY (tenant_id, timer_id, scope),
    -- Serves the poll, which enters it at SCHEDULED and reads keys from it alone.
    INDEX timer_schedules_wake (queue, shard, state, wake_at),
    -- Serves the purge.
    INDEX timer_schedules_settled (queue, state, settled_at),
    -- Serves who pages through timers in one state, such as dead ones. The key follows by itself.
    INDEX timer_schedules_state (state),
    -- Serves merges. A timer without a correlation key gets one entry, which is not written again when it ends.
    INDEX timer_schedules_correlated (waiting_key, queue, due_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_bin
    COMMENT = 'One row a timer or todo. For people: timer_schedules_readable';

-- Which node owns which slice of a queue; their number is fixed when the queue is new.
CREATE TABLE IF NOT EXISTS timer_shards (
    queue       varbinary(256)  NOT NULL,
    shard       int             NOT NULL,
    owner       varbinary(1020) COMMENT 'The node; NULL if it is free',
    epoch       bigint          NOT NULL COMMENT 'Grows with each acquisition',
    lease_until bigint COMMENT 'When the lease ends unless it is renewed; NULL if it is free',
    PRIMARY KEY (queue, shard)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_bin
    COMMENT = 'Which node owns which slice of a queue; their number is fixed when the queue is new';

-- Nodes that serve a queue, also those that own none of its shards yet.
CREATE TABLE IF NOT EXISTS timer_nodes (
    queue       varbinary(256)  NOT NULL,
    node        varbinary(1020) NOT NULL,
    alive_until bigint          NOT NULL COMMENT 'Until when the node counts as alive',
    PRIMARY KEY (queue, node)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_bin
    COMMENT = 'Nodes that serve a queue, also those that own none of its shards yet';

-- One row a paused queue: no node delivers anything of it until the row is deleted.
CREATE TABLE IF NOT EXISTS timer_pauses (
    queue     varbinary(256)  NOT NULL,
    paused_at bigint          NOT NULL COMMENT 'Since when',
    paused_by varbinary(1020) NOT NULL COMMENT 'The node on which an operator paused it',
    PRIMARY KEY (queue)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_bin
    COMMENT = 'One row a paused queue: no node delivers anything of it until the row is deleted';

-- Locked while timers of a correlation key are merged; one row for 1/64 of them.
CREATE TABLE IF NOT EXISTS timer_merge_slots (
    queue varbinary(256) NOT NULL,
    slot  int            NOT NULL COMMENT 'Which of the 64, by a hash of the correlation key',
    turn  bigint         NOT NULL COMMENT 'One more by each lock; has no other meaning',
    PRIMARY KEY (queue, slot)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_bin
    COMMENT = 'Locked while timers of a correlation key are merged; one row for 1/64 of them';

-- One row an open item of a to-do list; deleted when it is done.
CREATE TABLE IF NOT EXISTS timer_todo_items (
    list       varbinary(256)  NOT NULL COMMENT 'The list; first part of the key',
    item_id    varbinary(1020) NOT NULL COMMENT 'Which item of that list; second part of the key',
    overdue_at bigint          NOT NULL COMMENT 'From when on it is overdue',
    PRIMARY KEY (list, item_id),
    -- Serves the tick, which reads from it alone.
    INDEX timer_todo_items_overdue (list, overdue_at, item_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_bin
    COMMENT = 'One row an open item of a to-do list; deleted when it is done';

-- The timers with real timestamps (UTC) and without their payloads, for people.
CREATE OR REPLACE VIEW timer_schedules_readable AS
SELECT
    CONVERT(tenant_id USING utf8mb4) AS tenant_id,
    CONVERT(timer_id USING utf8mb4) AS timer_id,
    CONVERT(scope USING utf8mb4) AS scope,
    CONVERT(queue USING utf8mb4) AS queue,
    shard,
    timestampadd(MICROSECOND, due_at, timestamp '1970-01-01 00:00:00') AS due_at,
    timestampadd(MICROSECOND, wake_at, timestamp '1970-01-01 00:00:00') AS wake_at,
    timestampadd(MICROSECOND, expires_at, timestamp '1970-01-01 00:00:00') AS expires_at,
    state,
    generation,
    attempt,
    revision,
    CONVERT(type USING utf8mb4) AS type,
    octet_length(payload) AS payload_bytes,
    headers,
    trace,
    priority,
    CONVERT(correlation_id USING utf8mb4) AS correlation_id,
    CONVERT(parallel_key USING utf8mb4) AS parallel_key,
    CONVERT(correlation_key USING utf8mb4) AS correlation_key,
    recurrence,
    catch_up,
    CONVERT(step USING utf8mb4) AS step,
    timestampadd(MICROSECOND, registered_at, timestamp '1970-01-01 00:00:00') AS registered_at,
    timestampadd(MICROSECOND, started_at, timestamp '1970-01-01 00:00:00') AS started_at,
    timestampadd(MICROSECOND, settled_at, timestamp '1970-01-01 00:00:00') AS settled_at,
    error,
    timestampadd(MICROSECOND, first_failed_at, timestamp '1970-01-01 00:00:00') AS first_failed_at,
    timestampadd(MICROSECOND, last_failed_at, timestamp '1970-01-01 00:00:00') AS last_failed_at,
    timestampadd(MICROSECOND, previous_at, timestamp '1970-01-01 00:00:00') AS previous_at
FROM timer_schedules;
