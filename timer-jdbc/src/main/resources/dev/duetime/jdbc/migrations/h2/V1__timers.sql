-- The tables of Duetime, for H2. Plain SQL: may be run by any tool.
-- Times are microseconds since 1970-01-01T00:00Z: exact, and the same in every time zone.
-- H2 commits each statement by itself. So each one does nothing the second time: after an interruption the whole file
-- is run again.

-- One row a timer or todo. For people: timer_schedules_readable.
CREATE TABLE IF NOT EXISTS timer_schedules (
    tenant_id       varchar(255)       NOT NULL,
    timer_id        varchar(255)       NOT NULL,
    scope           varchar(64)        NOT NULL DEFAULT '',
    queue           varchar(64)        NOT NULL,
    shard           integer            NOT NULL,
    due_at          bigint             NOT NULL,
    wake_at         bigint,
    expires_at      bigint,
    state           varchar(16)        NOT NULL,
    generation      bigint             NOT NULL,
    attempt         integer            NOT NULL,
    revision        integer            NOT NULL,
    type            varchar(255)       NOT NULL,
    payload         varbinary(1048576) NOT NULL,
    headers         varchar(1048576),
    trace           varchar(1048576),
    priority        integer            NOT NULL,
    correlation_id  varchar(255),
    parallel_key    varchar(255),
    correlation_key varchar(255),
    recurrence      varchar(1000),
    catch_up        varchar(16),
    step            varchar(255),
    registered_at   bigint             NOT NULL,
    started_at      bigint,
    settled_at      bigint,
    error           varchar(2000),
    first_failed_at bigint,
    last_failed_at  bigint,
    previous_at     bigint,
    waiting_key     varchar(255)
        GENERATED ALWAYS AS (CASE WHEN state = 'SCHEDULED' THEN correlation_key END),
    PRIMARY KEY (tenant_id, timer_id, scope)
);

COMMENT ON TABLE timer_schedules IS 'One row a timer or todo. For people: timer_schedules_readable';
COMMENT ON COLUMN timer_schedules.tenant_id IS 'Whose timer it is; first part of the key';
COMMENT ON COLUMN timer_schedules.timer_id IS 'Which timer or todo it is; second part of the key';
COMMENT ON COLUMN timer_schedules.scope IS 'Empty for a timer, else the queue; third part of key';
COMMENT ON COLUMN timer_schedules.queue IS 'Where it is delivered';
COMMENT ON COLUMN timer_schedules.shard IS 'The slice of the queue that it lies in; see timer_shards';
COMMENT ON COLUMN timer_schedules.due_at IS 'When it is due; if it recurs, its current occurrence';
COMMENT ON COLUMN timer_schedules.wake_at IS 'When the engine reads it next: due_at or a retry; NULL iff it has ended';
COMMENT ON COLUMN timer_schedules.expires_at IS 'The last instant at which delivery is still useful; NULL for none';
COMMENT ON COLUMN timer_schedules.state IS 'SCHEDULED, REACHED, EXPIRED, DEAD or CANCELLED';
COMMENT ON COLUMN timer_schedules.generation IS 'Token of the current schedule; only its outcomes match';
COMMENT ON COLUMN timer_schedules.attempt IS 'How many deliveries were tried and counted';
COMMENT ON COLUMN timer_schedules.revision IS '0 when created, one more by each reschedule';
COMMENT ON COLUMN timer_schedules.type IS 'The user''s name for this kind of timer';
COMMENT ON COLUMN timer_schedules.payload IS 'What it carries; empty for nothing';
COMMENT ON COLUMN timer_schedules.headers IS 'The user''s headers: a JSON object of strings; NULL if there are none';
COMMENT ON COLUMN timer_schedules.trace IS 'Trace context of the call that scheduled it; likewise, not compared';
COMMENT ON COLUMN timer_schedules.priority IS 'Among due timers read together, higher goes first';
COMMENT ON COLUMN timer_schedules.correlation_id IS 'The user''s id of the conversation that it belongs to';
COMMENT ON COLUMN timer_schedules.parallel_key IS 'Timers of one key in a queue are delivered one at a time';
COMMENT ON COLUMN timer_schedules.correlation_key IS 'Timers of one key in a queue may be merged';
COMMENT ON COLUMN timer_schedules.recurrence IS 'How it recurs, as Recurrence.parse reads it; NULL for once';
COMMENT ON COLUMN timer_schedules.catch_up IS 'What becomes of missed occurrences: ALL, LATEST or NONE; NULL for once';
COMMENT ON COLUMN timer_schedules.step IS 'What a todo does next; NULL for a timer';
COMMENT ON COLUMN timer_schedules.registered_at IS 'When the current schedule was accepted';
COMMENT ON COLUMN timer_schedules.started_at IS 'Since when the step is being done; NULL if it waits';
COMMENT ON COLUMN timer_schedules.settled_at IS 'When it ended; NULL while it is scheduled';
COMMENT ON COLUMN timer_schedules.error IS 'Class and message of the last failure; NULL if none';
COMMENT ON COLUMN timer_schedules.first_failed_at IS 'When the first failure happened';
COMMENT ON COLUMN timer_schedules.last_failed_at IS 'When the last failure happened';
COMMENT ON COLUMN timer_schedules.previous_at IS 'Due time of the occurrence that was delivered last; NULL if none was';
COMMENT ON COLUMN timer_schedules.waiting_key IS 'The correlation key while it is scheduled: merges look for it';

-- Serves the poll, which enters it at SCHEDULED.
CREATE INDEX IF NOT EXISTS timer_schedules_wake ON timer_schedules (queue, shard, state, wake_at);

-- Serves the purge, which leaves out the rows whose settled_at is NULL.
CREATE INDEX IF NOT EXISTS timer_schedules_settled ON timer_schedules (queue, settled_at);

-- Serves merges. A timer without a correlation key gets one entry, which is not written again when it ends.
CREATE INDEX IF NOT EXISTS timer_schedules_correlated ON timer_schedules (waiting_key, queue, due_at);

-- Which node owns which slice of a queue; their number is fixed when the queue is new.
CREATE TABLE IF NOT EXISTS timer_shards (
    queue       varchar(64)  NOT NULL,
    shard       integer      NOT NULL,
    owner       varchar(255),
    epoch       bigint       NOT NULL,
    lease_until bigint,
    PRIMARY KEY (queue, shard)
);

COMMENT ON TABLE timer_shards IS 'Which node owns which slice of a queue; their number is fixed when the queue is new';
COMMENT ON COLUMN timer_shards.owner IS 'The node; NULL if it is free';
COMMENT ON COLUMN timer_shards.epoch IS 'Grows with each acquisition';
COMMENT ON COLUMN timer_shards.lease_until IS 'When the lease ends unless it is renewed; NULL if it is free';

-- Nodes that serve a queue, also those that own none of its shards yet.
CREATE TABLE IF NOT EXISTS timer_nodes (
    queue       varchar(64)  NOT NULL,
    node        varchar(255) NOT NULL,
    alive_until bigint       NOT NULL,
    PRIMARY KEY (queue, node)
);

COMMENT ON TABLE timer_nodes IS 'Nodes that serve a queue, also those that own none of its shards yet';
COMMENT ON COLUMN timer_nodes.alive_until IS 'Until when the node counts as alive';

-- One row a paused queue: no node delivers anything of it until the row is deleted.
CREATE TABLE IF NOT EXISTS timer_pauses (
    queue     varchar(64)  NOT NULL,
    paused_at bigint       NOT NULL,
    paused_by varchar(255) NOT NULL,
    PRIMARY KEY (queue)
);

COMMENT ON TABLE timer_pauses IS 'One row a paused queue: no node delivers anything of it until the row is deleted';
COMMENT ON COLUMN timer_pauses.paused_at IS 'Since when';
COMMENT ON COLUMN timer_pauses.paused_by IS 'The node on which an operator paused it';

-- Locked while timers of a correlation key are merged; one row for 1/64 of them.
CREATE TABLE IF NOT EXISTS timer_merge_slots (
    queue varchar(64) NOT NULL,
    slot  integer     NOT NULL,
    turn  bigint      NOT NULL,
    PRIMARY KEY (queue, slot)
);

COMMENT ON TABLE timer_merge_slots IS 'Locked while timers of a correlation key are merged; one row for 1/64 of them';
COMMENT ON COLUMN timer_merge_slots.slot IS 'Which of the 64, by a hash of the correlation key';
COMMENT ON COLUMN timer_merge_slots.turn IS 'One more by each lock; has no other meaning';

-- One row an open item of a to-do list; deleted when it is done.
CREATE TABLE IF NOT EXISTS timer_todo_items (
    list       varchar(64)  NOT NULL,
    item_id    varchar(255) NOT NULL,
    overdue_at bigint       NOT NULL,
    PRIMARY KEY (list, item_id)
);

COMMENT ON TABLE timer_todo_items IS 'One row an open item of a to-do list; deleted when it is done';
COMMENT ON COLUMN timer_todo_items.list IS 'The list; first part of the key';
COMMENT ON COLUMN timer_todo_items.item_id IS 'Which item of that list; second part of the key';
COMMENT ON COLUMN timer_todo_items.overdue_at IS 'From when on it is overdue';

-- Serves the tick, which reads from it alone.
CREATE INDEX IF NOT EXISTS timer_todo_items_overdue ON timer_todo_items (list, overdue_at, item_id);

-- The timers with real timestamps (UTC) and without their payloads, for people.
CREATE OR REPLACE VIEW timer_schedules_readable AS
SELECT
    tenant_id,
    timer_id,
    scope,
    queue,
    shard,
    dateadd(MICROSECOND, due_at, timestamp with time zone '1970-01-01 00:00:00+00') AS due_at,
    dateadd(MICROSECOND, wake_at, timestamp with time zone '1970-01-01 00:00:00+00') AS wake_at,
    dateadd(MICROSECOND, expires_at, timestamp with time zone '1970-01-01 00:00:00+00') AS expires_at,
    state,
    generation,
    attempt,
    revision,
    type,
    octet_length(payload) AS payload_bytes,
    headers,
    trace,
    priority,
    correlation_id,
    parallel_key,
    correlation_key,
    recurrence,
    catch_up,
    step,
    dateadd(MICROSECOND, registered_at, timestamp with time zone '1970-01-01 00:00:00+00') AS registered_at,
    dateadd(MICROSECOND, started_at, timestamp with time zone '1970-01-01 00:00:00+00') AS started_at,
    dateadd(MICROSECOND, settled_at, timestamp with time zone '1970-01-01 00:00:00+00') AS settled_at,
    error,
    dateadd(MICROSECOND, first_failed_at, timestamp with time zone '1970-01-01 00:00:00+00') AS first_failed_at,
    dateadd(MICROSECOND, last_failed_at, timestamp with time zone '1970-01-01 00:00:00+00') AS last_failed_at,
    dateadd(MICROSECOND, previous_at, timestamp with time zone '1970-01-01 00:00:00+00') AS previous_at
FROM timer_schedules;
