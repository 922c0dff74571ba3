-- Timers and the ownership of their shards, for SQLite. Plain SQL: may be run by any tool.
-- Times are microseconds since 1970-01-01T00:00Z: exact, and the same in every time zone.

-- One row a timer. For people: timer_schedules_readable.
CREATE TABLE timer_schedules (
    -- Whose timer it is; first half of the key
    tenant_id       TEXT    NOT NULL,
    -- Which timer of that tenant; second half of the key
    timer_id        TEXT    NOT NULL,
    -- Where it is delivered
    queue           TEXT    NOT NULL,
    -- The slice of the queue that it lies in; see timer_shards
    shard           INTEGER NOT NULL,
    -- When it is due
    due_at          INTEGER NOT NULL,
    -- When the engine looks at it next: due_at or a retry; NULL iff it has ended
    wake_at         INTEGER,
    -- The last instant at which delivery is still worth it; NULL for ever
    expires_at      INTEGER,
    -- SCHEDULED, REACHED, EXPIRED, DEAD or CANCELLED
    state           TEXT    NOT NULL,
    -- Token of the schedule that stands; outcomes of others do not match
    generation      INTEGER NOT NULL,
    -- How many deliveries were tried and counted
    attempt         INTEGER NOT NULL,
    -- 0 when created, one more by each reschedule
    revision        INTEGER NOT NULL,
    -- The user's name for this kind of timer
    type            TEXT    NOT NULL,
    -- What it carries; empty for nothing
    payload         BLOB    NOT NULL,
    -- What travels beside the payload: a JSON object of strings; NULL for none
    headers         TEXT,
    -- Among due timers read together, higher goes first
    priority        INTEGER NOT NULL,
    -- The user's id of the conversation that it belongs to
    correlation_id  TEXT,
    -- Timers of one key in a queue are delivered one at a time
    parallel_key    TEXT,
    -- Timers of one key in a queue may be merged
    correlation_key TEXT,
    -- How it recurs; NULL for once
    recurrence      TEXT,
    -- Reserved
    step            TEXT,
    -- When the schedule that stands was accepted
    registered_at   INTEGER NOT NULL,
    -- When it ended; NULL while it is scheduled
    settled_at      INTEGER,
    -- Class and message of the last failure; NULL if none
    error           TEXT,
    -- When the first failure happened
    first_failed_at INTEGER,
    -- When the last failure happened
    last_failed_at  INTEGER,
    PRIMARY KEY (tenant_id, timer_id)
);

-- Serves the poll: only rows that wait are in it.
CREATE INDEX timer_schedules_wake ON timer_schedules (queue, shard, wake_at) WHERE wake_at IS NOT NULL;

-- Serves the purge: only rows that it may delete are in it.
CREATE INDEX timer_schedules_settled ON timer_schedules (queue, settled_at)
    WHERE state IN ('REACHED', 'EXPIRED', 'CANCELLED');

-- Which node owns which slice of a queue; their number is fixed when the queue is new.
CREATE TABLE timer_shards (
    queue       TEXT    NOT NULL,
    shard       INTEGER NOT NULL,
    -- The node; NULL if it is free
    owner       TEXT,
    -- Grows with each acquisition
    epoch       INTEGER NOT NULL,
    -- When the lease is over unless it is renewed; NULL if it is free
    lease_until INTEGER,
    PRIMARY KEY (queue, shard)
);

-- Nodes that serve a queue, also those that own none of its shards yet.
CREATE TABLE timer_nodes (
    queue       TEXT    NOT NULL,
    node        TEXT    NOT NULL,
    -- Until when the node counts as alive
    alive_until INTEGER NOT NULL,
    PRIMARY KEY (queue, node)
);

-- The timers with real timestamps (UTC) and without their payloads, for people.
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
    strftime('%Y-%m-%dT%H:%M:%fZ', last_failed_at / 1000000.0, 'unixepoch') AS last_failed_at
FROM timer_schedules;
