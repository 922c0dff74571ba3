-- What became of the occurrences of recurring timers, for people. Written only if a history is kept.
CREATE TABLE IF NOT EXISTS timer_occurrences (
    tenant_id varchar(255)  NOT NULL,
    timer_id  varchar(255)  NOT NULL,
    scope     varchar(64)   NOT NULL,
    due_at    bigint        NOT NULL,
    outcome   varchar(16)   NOT NULL,
    ended_at  bigint        NOT NULL,
    attempts  integer       NOT NULL,
    error     varchar(4000),
    PRIMARY KEY (tenant_id, timer_id, scope, due_at)
);

COMMENT ON TABLE timer_occurrences IS 'What became of the occurrences of recurring timers, for people';
COMMENT ON COLUMN timer_occurrences.due_at IS 'Which occurrence';
COMMENT ON COLUMN timer_occurrences.outcome IS 'DELIVERED, EXPIRED, DEAD or SKIPPED';
COMMENT ON COLUMN timer_occurrences.ended_at IS 'When it ended';
COMMENT ON COLUMN timer_occurrences.attempts IS 'How many deliveries were tried';
COMMENT ON COLUMN timer_occurrences.error IS 'Class and message of the last failure; NULL if none';

-- Serves the deletion of what is too old.
CREATE INDEX IF NOT EXISTS timer_occurrences_ended ON timer_occurrences (ended_at);
