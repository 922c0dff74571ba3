-- Paused queues, and an index of dead timers, for PostgreSQL. Plain SQL: may be run by any tool, after V2.
-- On Citus, distribute timer_pauses by queue, like timer_shards.

CREATE TABLE timer_pauses (
    queue     text COLLATE "C" NOT NULL,
    paused_at bigint           NOT NULL,
    paused_by text COLLATE "C" NOT NULL,
    PRIMARY KEY (queue)
);

COMMENT ON TABLE timer_pauses IS 'One row a paused queue: no node delivers anything of it until the row is deleted';
COMMENT ON COLUMN timer_pauses.paused_at IS 'Since when, in microseconds since 1970-01-01T00:00Z';
COMMENT ON COLUMN timer_pauses.paused_by IS 'The node on which an operator paused it';

-- Serves those who look for dead timers, page by page: only these, and rows in states that no version knows, are in it.
CREATE INDEX timer_schedules_dead ON timer_schedules (tenant_id, timer_id)
    WHERE state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED');
