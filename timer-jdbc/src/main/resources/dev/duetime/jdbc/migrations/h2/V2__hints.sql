-- Hints from nodes that schedule to the owners of shards: one row a queue. No timer depends on it.
CREATE TABLE IF NOT EXISTS timer_hints (
    queue  varchar(64) NOT NULL,
    sent   bigint      NOT NULL,
    due_at bigint      NOT NULL,
    PRIMARY KEY (queue)
);

COMMENT ON TABLE timer_hints IS 'Hints from nodes that schedule to the owners of shards; no timer depends on them';
COMMENT ON COLUMN timer_hints.sent IS 'How many hints were sent, ever';
COMMENT ON COLUMN timer_hints.due_at IS 'The due time that the latest hint named';
