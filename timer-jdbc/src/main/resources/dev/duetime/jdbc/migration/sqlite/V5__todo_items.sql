-- Items of to-do lists, for SQLite. Plain SQL: may be run by any tool, after V4.

-- One row an open item of a to-do list; deleted when it is done.
CREATE TABLE timer_todo_items (
    -- The list; first half of the key
    list       TEXT    NOT NULL,
    -- Which item of that list; second half of the key
    item_id    TEXT    NOT NULL,
    -- From when on it is overdue, in microseconds since 1970-01-01T00:00Z
    overdue_at INTEGER NOT NULL,
    PRIMARY KEY (list, item_id)
);

-- Serves the tick, which reads from it alone.
CREATE INDEX timer_todo_items_overdue ON timer_todo_items (list, overdue_at, item_id);
