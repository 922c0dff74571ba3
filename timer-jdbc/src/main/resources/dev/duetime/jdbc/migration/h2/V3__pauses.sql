-- Paused queues, for H2. Plain SQL: may be run by any tool, after V2.

CREATE TABLE timer_pauses (
    queue     varchar(64)  NOT NULL,
    paused_at bigint       NOT NULL,
    paused_by varchar(255) NOT NULL,
    PRIMARY KEY (queue)
);

COMMENT ON TABLE timer_pauses IS 'One row a paused queue: no node delivers anything of it until the row is deleted';
COMMENT ON COLUMN timer_pauses.paused_at IS 'Since when, in microseconds since 1970-01-01T00:00Z';
COMMENT ON COLUMN timer_pauses.paused_by IS 'The node on which an operator paused it';
