-- Hints from nodes that schedule to the owners of shards: one row a queue. No timer depends on it.
CREATE TABLE IF NOT EXISTS timer_hints (
    queue  varchar(64) NOT NULL,
    sent   bigint      NOT NULL COMMENT 'How many hints were sent, ever',
    due_at bigint      NOT NULL COMMENT 'The due time that the latest hint named',
    PRIMARY KEY (queue)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin
    COMMENT = 'Hints from nodes that schedule to the owners of shards; no timer depends on them';
