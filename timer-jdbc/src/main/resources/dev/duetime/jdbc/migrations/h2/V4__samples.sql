-- What pages of operators read: what each node delivered lately.
CREATE TABLE IF NOT EXISTS timer_samples (
    queue       varchar(64)   NOT NULL,
    node        varchar(255)  NOT NULL,
    taken_at    bigint        NOT NULL,
    in_delivery integer       NOT NULL,
    delivered   varchar(1000) NOT NULL,
    lateness    varchar(1000) NOT NULL,
    PRIMARY KEY (queue, node)
);

COMMENT ON TABLE timer_samples IS 'What each node delivered lately, while somebody looks; no timer depends on it';
COMMENT ON COLUMN timer_samples.taken_at IS 'When the node wrote it';
COMMENT ON COLUMN timer_samples.in_delivery IS 'How many timers the node was delivering';
COMMENT ON COLUMN timer_samples.delivered IS 'How many it delivered in each 15 seconds of the last 15 minutes';
COMMENT ON COLUMN timer_samples.lateness IS 'How many of the last five minutes were late by how much';
