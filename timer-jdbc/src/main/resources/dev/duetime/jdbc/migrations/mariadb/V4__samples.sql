-- What pages of operators read: what each node delivered lately.
CREATE TABLE IF NOT EXISTS timer_samples (
    queue       varchar(64)   NOT NULL,
    node        varchar(255)  NOT NULL,
    taken_at    bigint        NOT NULL COMMENT 'When the node wrote it',
    in_delivery integer       NOT NULL COMMENT 'How many timers the node was delivering',
    delivered   varchar(1000) NOT NULL COMMENT 'How many it delivered in each 15 seconds of the last 15 minutes',
    lateness    varchar(1000) NOT NULL COMMENT 'How many of the last five minutes were late by how much',
    PRIMARY KEY (queue, node)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin
    COMMENT = 'What each node delivered lately, while somebody looks; no timer depends on it';
