-- What became of the occurrences of recurring timers, for people. Written only if a history is kept.
-- On Citus, run this afterwards:
--   SELECT create_distributed_table('timer_occurrences', 'tenant_id', colocate_with => 'timer_schedules');
CREATE TABLE timer_occurrences (
    tenant_id text COLLATE "C" NOT NULL,
    timer_id  text COLLATE "C" NOT NULL,
    scope     text COLLATE "C" NOT NULL,
    due_at    bigint           NOT NULL,
    outcome   text COLLATE "C" NOT NULL,
    ended_at  bigint           NOT NULL,
    attempts  integer          NOT NULL,
    error     text,
    PRIMARY KEY (tenant_id, timer_id, scope, due_at)
);

COMMENT ON TABLE timer_occurrences IS 'What became of the occurrences of recurring timers, for people';
COMMENT ON COLUMN timer_occurrences.due_at IS 'Which occurrence';
COMMENT ON COLUMN timer_occurrences.outcome IS 'DELIVERED, EXPIRED, DEAD or SKIPPED';
COMMENT ON COLUMN timer_occurrences.ended_at IS 'When it ended';
COMMENT ON COLUMN timer_occurrences.attempts IS 'How many deliveries were tried';
COMMENT ON COLUMN timer_occurrences.error IS 'Class and message of the last failure; NULL if none';

-- Serves the deletion of what is too old.
CREATE INDEX timer_occurrences_ended ON timer_occurrences (ended_at);
