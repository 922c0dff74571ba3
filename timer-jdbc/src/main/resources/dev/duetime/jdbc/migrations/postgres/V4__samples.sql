-- What pages of operators read: what each node delivered lately, and the timers that recur.
-- On Citus, run this afterwards:
--   SELECT create_distributed_table('timer_samples', 'queue', colocate_with => 'timer_shards');
CREATE TABLE timer_samples (
    queue       text COLLATE "C" NOT NULL,
    node        text COLLATE "C" NOT NULL,
    taken_at    bigint           NOT NULL,
    in_delivery integer          NOT NULL,
    delivered   text COLLATE "C" NOT NULL,
    lateness    text COLLATE "C" NOT NULL,
    PRIMARY KEY (queue, node)
) WITH (fillfactor = 50);

COMMENT ON TABLE timer_samples IS 'What each node delivered lately, while somebody looks; no timer depends on it';
COMMENT ON COLUMN timer_samples.taken_at IS 'When the node wrote it';
COMMENT ON COLUMN timer_samples.in_delivery IS 'How many timers the node was delivering';
COMMENT ON COLUMN timer_samples.delivered IS 'How many it delivered in each 15 seconds of the last 15 minutes';
COMMENT ON COLUMN timer_samples.lateness IS 'How many of the last five minutes were late by how much';

-- Serves the page of recurring timers, which are few: it holds no others.
CREATE INDEX timer_schedules_recurring ON timer_schedules (tenant_id, timer_id, scope)
    WHERE state = 'SCHEDULED' AND recurrence IS NOT NULL;
