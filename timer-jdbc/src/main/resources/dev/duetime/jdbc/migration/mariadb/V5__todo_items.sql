-- Items of to-do lists, for MariaDB and MySQL. Plain SQL: may be run by any tool, after V4.

CREATE TABLE timer_todo_items (
    list       varchar(64)  NOT NULL COMMENT 'The list; first half of the key',
    item_id    varchar(255) NOT NULL COMMENT 'Which item of that list; second half of the key',
    overdue_at bigint       NOT NULL COMMENT 'From when on it is overdue, in microseconds since 1970-01-01T00:00Z',
    PRIMARY KEY (list, item_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4
    /*M! COLLATE = utf8mb4_nopad_bin */ /*!80017 COLLATE = utf8mb4_0900_bin */
    COMMENT = 'One row an open item of a to-do list; deleted when it is done';

-- Serves the tick, which reads from it alone.
CREATE INDEX timer_todo_items_overdue ON timer_todo_items (list, overdue_at, item_id);
