-- The tables of Duetime, for SQLite. Plain SQL: may be run by any tool.
-- Tables are STRICT, so that no tool can write a text where a number belongs: a row that cannot be read as it was written would
-- match none of its own outcomes. Needs SQLite 3.37 or later.
-- Times are microseconds since 1970-01-01T00:00Z: exact, and the same in every time zone.

-- One row a timer or todo. For people: timer_schedules_readable.
CREATE TABLE timer_schedules (
    -- Whose timer it is; first part of the key
    tenant_id       TEXT    NOT NULL,
    -- Which timer or todo it is; second part of the key
    timer_id        TEXT    NOT NULL,
    -- Empty for a timer, else the queue; third part of key
    scope           TEXT    NOT NULL DEFAULT '',
    -- Where it is delivered
    queue           TEXT    NOT NULL,
    -- The slice of the queue that it lies in; see timer_shards
    shard           INTEGER NOT NULL,
    -- When it is due; if it recurs, its current occurrence
    due_at          INTEGER NOT NULL,
    -- When the engine reads it next: due_at or a retry; NULL iff it has ended
    wake_at         INTEGER,
    -- The last instant at which delivery is still useful; NULL for none
    expires_at      INTEGER,
    -- SCHEDULED, REACHED, EXPIRED, DEAD or CANCELLED
    state           TEXT    NOT NULL,
    -- Token of the current schedule; only its outcomes match
    generation      INTEGER NOT NULL,
    -- How many deliveries were tried and counted
    attempt         INTEGER NOT NULL,
    -- 0 when created, one more by each reschedule
    revision        INTEGER NOT NULL,
    -- The user's name for this kind of timer
    type            TEXT    NOT NULL,
    -- What it carries; empty for nothing
    payload         BLOB    NOT NULL,
    -- The user's headers: a JSON object of strings; NULL if there are none
    headers         TEXT,
    -- Trace context of the call that scheduled it; likewise, not compared
    trace           TEXT,
    -- Among due timers read together, higher goes first
    priority        INTEGER NOT NULL,
    -- The user's id of the conversation that it belongs to
    correlation_id  TEXT,
    -- Timers of one key in a queue are delivered one at a time
    parallel_key    TEXT,
    -- Timers of one key in a queue may be merged
    correlation_key TEXT,
    -- How it recurs, as Recurrence.parse reads it; NULL for once
    recurrence      TEXT,
    -- What becomes of missed occurrences: ALL, LATEST or NONE; NULL for once
    catch_up        TEXT,
    -- What a todo does next; NULL for a timer
    step            TEXT,
    -- When the current schedule was accepted
    registered_at   INTEGER NOT NULL,
    -- Since when the step is being done; NULL if it waits
    started_at      INTEGER,
    -- When it ended; NULL while it is scheduled
    settled_at      INTEGER,
    -- Class and message of the last failure; NULL if none
    error           TEXT,
    -- When the first failure happened
    first_failed_at INTEGER,
    -- When the last failure happened
    last_failed_at  INTEGER,
    -- Due time of the occurrence that was delivered last; NULL if none was
    previous_at     INTEGER,
    PRIMARY KEY (tenant_id, timer_id, scope)
) STRICT;

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
    queue       TEXT    NOT NULL,
    shard       INTEGER NOT NULL,
    -- The node; NULL if it is free
    owner       TEXT,
    -- Grows with each acquisition
    epoch       INTEGER NOT NULL,
    -- When the lease ends unless it is renewed; NULL if it is free
    lease_until INTEGER,
    PRIMARY KEY (queue, shard)
) STRICT;

-- Nodes that serve a queue, also those that own none of its shards yet.
CREATE TABLE timer_nodes (
    queue       TEXT    NOT NULL,
    node        TEXT    NOT NULL,
    -- Until when the node counts as alive
    alive_until INTEGER NOT NULL,
    PRIMARY KEY (queue, node)
) STRICT;

-- One row a paused queue: no node delivers anything of it until the row is deleted.
CREATE TABLE timer_pauses (
    queue     TEXT    NOT NULL,
    -- Since when
    paused_at INTEGER NOT NULL,
    -- The node on which an operator paused it
    paused_by TEXT    NOT NULL,
    PRIMARY KEY (queue)
) STRICT;

-- Locked while timers of a correlation key are merged; one row for 1/64 of them.
CREATE TABLE timer_merge_slots (
    queue TEXT    NOT NULL,
    -- Which of the 64, by a hash of the correlation key
    slot  INTEGER NOT NULL,
    -- One more by each lock; has no other meaning
    turn  INTEGER NOT NULL,
    PRIMARY KEY (queue, slot)
) STRICT;

-- One row an open item of a to-do list; deleted when it is done.
CREATE TABLE timer_todo_items (
    -- The list; first part of the key
    list       TEXT    NOT NULL,
    -- Which item of that list; second part of the key
    item_id    TEXT    NOT NULL,
    -- From when on it is overdue
    overdue_at INTEGER NOT NULL,
    PRIMARY KEY (list, item_id)
) STRICT;

-- Serves the tick, which reads from it alone.
CREATE INDEX timer_todo_items_overdue ON timer_todo_items (list, overdue_at, item_id);

-- The timers with real timestamps (UTC) and without their payloads, for people.
CREATE VIEW timer_schedules_readable AS
SELECT
    tenant_id,
    timer_id,
    scope,
    queue,
    shard,
    strftime('%Y-%m-%dT%H:%M:%fZ', due_at / 1000000.0, 'unixepoch') AS due_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', wake_at / 1000000.0, 'unixepoch') AS wake_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', expires_at / 1000000.0, 'unixepoch') AS expires_at,
    state,
    generation,
    attempt,
    revision,
    type,
    length(payload) AS payload_bytes,
    headers,
    trace,
    priority,
    correlation_id,
    parallel_key,
    correlation_key,
    recurrence,
    catch_up,
    step,
    strftime('%Y-%m-%dT%H:%M:%fZ', registered_at / 1000000.0, 'unixepoch') AS registered_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', started_at / 1000000.0, 'unixepoch') AS started_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', settled_at / 1000000.0, 'unixepoch') AS settled_at,
    error,
    strftime('%Y-%m-%dT%H:%M:%fZ', first_failed_at / 1000000.0, 'unixepoch') AS first_failed_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', last_failed_at / 1000000.0, 'unixepoch') AS last_failed_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', previous_at / 1000000.0, 'unixepoch') AS previous_at
FROM timer_schedules;
