-- Paused queues, for MariaDB and MySQL. Plain SQL: may be run by any tool, after V2.

CREATE TABLE timer_pauses (
    queue     varchar(64)  NOT NULL,
    paused_at bigint       NOT NULL COMMENT 'Since when, in microseconds since 1970-01-01T00:00Z',
    paused_by varchar(255) NOT NULL COMMENT 'The node on which an operator paused it',
    PRIMARY KEY (queue)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4
    /*M! COLLATE = utf8mb4_nopad_bin */ /*!80017 COLLATE = utf8mb4_0900_bin */
    COMMENT = 'One row a paused queue: no node delivers anything of it until the row is deleted';
