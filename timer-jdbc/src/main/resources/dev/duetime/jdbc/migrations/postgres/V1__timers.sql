-- The tables of Duetime, for PostgreSQL. Plain SQL: may be run by any tool.
-- Times are microseconds since 1970-01-01T00:00Z: exact, and the same in every time zone.
-- Keys are COLLATE "C", so that they are compared and sorted character by character.
-- On Citus, run docs/citus.sql afterwards: it distributes every table.

-- One row a timer or todo. For people: timer_schedules_readable.
CREATE TABLE timer_schedules (
    tenant_id       text COLLATE "C" NOT NULL,
    timer_id        text COLLATE "C" NOT NULL,
    scope           text COLLATE "C" NOT NULL DEFAULT '',
    queue           text COLLATE "C" NOT NULL,
    shard           integer          NOT NULL,
    due_at          bigint           NOT NULL,
    wake_at         bigint,
    expires_at      bigint,
    state           text COLLATE "C" NOT NULL,
    generation      bigint           NOT NULL,
    attempt         integer          NOT NULL,
    revision        integer          NOT NULL,
    rearm           boolean          NOT NULL,
    type            text COLLATE "C" NOT NULL,
    payload         bytea            NOT NULL,
    headers         text COLLATE "C",
    trace           text COLLATE "C",
    priority        integer          NOT NULL,
    correlation_id  text COLLATE "C",
    parallel_key    text COLLATE "C",
    correlation_key text COLLATE "C",
    recurrence      text COLLATE "C",
    catch_up        text COLLATE "C",
    step            text COLLATE "C",
    registered_at   bigint           NOT NULL,
    started_at      bigint,
    settled_at      bigint,
    error           text,
    first_failed_at bigint,
    last_failed_at  bigint,
    previous_at     bigint,
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
COMMENT ON COLUMN timer_schedules.rearm IS 'Whether the current schedule was allowed to replace an ended timer';
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

-- Serves the poll: it holds scheduled timers only.
CREATE INDEX timer_schedules_wake ON timer_schedules (queue, shard, wake_at) WHERE state = 'SCHEDULED';

-- Serves the purge: it holds only timers that the purge may delete.
CREATE INDEX timer_schedules_settled ON timer_schedules (queue, settled_at)
    WHERE state IN ('REACHED', 'EXPIRED', 'CANCELLED');

-- Serves an operator who pages through dead timers. It also holds rows in states that no version knows.
CREATE INDEX timer_schedules_dead ON timer_schedules (tenant_id, timer_id, scope)
    WHERE state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED');

-- Serves merges: it holds only waiting timers that have a correlation key.
CREATE INDEX timer_schedules_correlated ON timer_schedules (queue, correlation_key, due_at)
    WHERE state = 'SCHEDULED' AND correlation_key IS NOT NULL;

-- Which node owns which slice of a queue; their number is fixed when the queue is new.
CREATE TABLE timer_shards (
    queue       text COLLATE "C" NOT NULL,
    shard       integer          NOT NULL,
    owner       text COLLATE "C",
    epoch       bigint           NOT NULL,
    lease_until bigint,
    PRIMARY KEY (queue, shard)
);

COMMENT ON TABLE timer_shards IS 'Which node owns which slice of a queue; their number is fixed when the queue is new';
COMMENT ON COLUMN timer_shards.owner IS 'The node; NULL if it is free';
COMMENT ON COLUMN timer_shards.epoch IS 'Grows with each acquisition';
COMMENT ON COLUMN timer_shards.lease_until IS 'When the lease ends unless it is renewed; NULL if it is free';

-- Nodes that serve a queue, also those that own none of its shards yet.
CREATE TABLE timer_nodes (
    queue       text COLLATE "C" NOT NULL,
    node        text COLLATE "C" NOT NULL,
    alive_until bigint           NOT NULL,
    PRIMARY KEY (queue, node)
);

COMMENT ON TABLE timer_nodes IS 'Nodes that serve a queue, also those that own none of its shards yet';
COMMENT ON COLUMN timer_nodes.alive_until IS 'Until when the node counts as alive';

-- One row a paused queue: no node delivers anything of it until the row is deleted.
CREATE TABLE timer_pauses (
    queue     text COLLATE "C" NOT NULL,
    paused_at bigint           NOT NULL,
    paused_by text COLLATE "C" NOT NULL,
    PRIMARY KEY (queue)
);

COMMENT ON TABLE timer_pauses IS 'One row a paused queue: no node delivers anything of it until the row is deleted';
COMMENT ON COLUMN timer_pauses.paused_at IS 'Since when';
COMMENT ON COLUMN timer_pauses.paused_by IS 'The node on which an operator paused it';

-- Locked while timers of a correlation key are merged; one row for 1/64 of them.
CREATE TABLE timer_merge_slots (
    queue text COLLATE "C" NOT NULL,
    slot  integer          NOT NULL,
    turn  bigint           NOT NULL,
    PRIMARY KEY (queue, slot)
);

COMMENT ON TABLE timer_merge_slots IS 'Locked while timers of a correlation key are merged; one row for 1/64 of them';
COMMENT ON COLUMN timer_merge_slots.slot IS 'Which of the 64, by a hash of the correlation key';
COMMENT ON COLUMN timer_merge_slots.turn IS 'One more by each lock; has no other meaning';

-- One row an open item of a to-do list; deleted when it is done.
CREATE TABLE timer_todo_items (
    list       text COLLATE "C" NOT NULL,
    item_id    text COLLATE "C" NOT NULL,
    overdue_at bigint           NOT NULL,
    PRIMARY KEY (list, item_id)
);

COMMENT ON TABLE timer_todo_items IS 'One row an open item of a to-do list; deleted when it is done';
COMMENT ON COLUMN timer_todo_items.list IS 'The list; first part of the key';
COMMENT ON COLUMN timer_todo_items.item_id IS 'Which item of that list; second part of the key';
COMMENT ON COLUMN timer_todo_items.overdue_at IS 'From when on it is overdue';

-- Serves the tick, which reads from it alone.
CREATE INDEX timer_todo_items_overdue ON timer_todo_items (list, overdue_at, item_id);

-- The timers with real timestamps and without their payloads, for people.
CREATE VIEW timer_schedules_readable AS
SELECT
    tenant_id,
    timer_id,
    scope,
    queue,
    shard,
    timestamptz 'epoch' + due_at * interval '1 microsecond' AS due_at,
    timestamptz 'epoch' + wake_at * interval '1 microsecond' AS wake_at,
    timestamptz 'epoch' + expires_at * interval '1 microsecond' AS expires_at,
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
    timestamptz 'epoch' + registered_at * interval '1 microsecond' AS registered_at,
    timestamptz 'epoch' + started_at * interval '1 microsecond' AS started_at,
    timestamptz 'epoch' + settled_at * interval '1 microsecond' AS settled_at,
    error,
    timestamptz 'epoch' + first_failed_at * interval '1 microsecond' AS first_failed_at,
    timestamptz 'epoch' + last_failed_at * interval '1 microsecond' AS last_failed_at,
    timestamptz 'epoch' + previous_at * interval '1 microsecond' AS previous_at
FROM timer_schedules;

COMMENT ON VIEW timer_schedules_readable IS 'The timers with real timestamps and without their payloads, for people';
