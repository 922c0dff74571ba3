-- Hints from nodes that schedule to the owners of shards: one row a queue. No timer depends on it.
CREATE TABLE timer_hints (
    queue  TEXT    NOT NULL,
    -- How many hints were sent, ever
    sent   INTEGER NOT NULL,
    -- The due time that the latest hint named
    due_at INTEGER NOT NULL,
    PRIMARY KEY (queue)
) STRICT;
