-- Items of to-do lists, for H2. Plain SQL: may be run by any tool, after V4.

CREATE TABLE timer_todo_items (
    list       varchar(64)  NOT NULL,
    item_id    varchar(255) NOT NULL,
    overdue_at bigint       NOT NULL,
    PRIMARY KEY (list, item_id)
);

COMMENT ON TABLE timer_todo_items IS 'One row an open item of a to-do list; deleted when it is done';
COMMENT ON COLUMN timer_todo_items.list IS 'The list; first half of the key';
COMMENT ON COLUMN timer_todo_items.item_id IS 'Which item of that list; second half of the key';
COMMENT ON COLUMN timer_todo_items.overdue_at IS 'From when on it is overdue, in microseconds since 1970-01-01T00:00Z';

-- Serves the tick.
CREATE INDEX timer_todo_items_overdue ON timer_todo_items (list, overdue_at, item_id);
