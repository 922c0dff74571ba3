-- Paused queues, for SQLite. Plain SQL: may be run by any tool, after V2.

-- One row a paused queue: nothing of it is delivered, by any node, until the row is deleted.
CREATE TABLE timer_pauses (
    queue     TEXT    NOT NULL,
    -- Since when, in microseconds since 1970-01-01T00:00Z
    paused_at INTEGER NOT NULL,
    -- The node on which an operator paused it
    paused_by TEXT    NOT NULL,
    PRIMARY KEY (queue)
);
