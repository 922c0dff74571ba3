-- Shares of nodes in limits of the cluster: one row a limit and node, and one without a node for the limit itself.
-- On Citus, run this afterwards:
--   SELECT create_distributed_table('timer_permits', 'queue', colocate_with => 'timer_shards');
CREATE TABLE timer_permits (
    queue      text COLLATE "C" NOT NULL,
    limit_name text COLLATE "C" NOT NULL,
    node       text COLLATE "C" NOT NULL,
    version    bigint           NOT NULL,
    units      integer          NOT NULL,
    demand     integer          NOT NULL,
    total      integer          NOT NULL,
    spacing    bigint           NOT NULL,
    since_at   bigint           NOT NULL,
    ends_at    bigint           NOT NULL,
    PRIMARY KEY (queue, limit_name, node)
) WITH (fillfactor = 50);

COMMENT ON TABLE timer_permits IS 'Shares of nodes in limits of the cluster';
COMMENT ON COLUMN timer_permits.version IS 'How often the limit was changed; only in the row without a node';
COMMENT ON COLUMN timer_permits.units IS 'How many units of the limit the node holds';
COMMENT ON COLUMN timer_permits.demand IS 'How many units the node could use';
COMMENT ON COLUMN timer_permits.total IS 'How many units the limit has, as the node is configured';
COMMENT ON COLUMN timer_permits.spacing IS 'Nanoseconds between two permits of a rate; 0 if it is no rate';
COMMENT ON COLUMN timer_permits.since_at IS 'Since when the node has held units or waited for some; without a node, since when units are free';
COMMENT ON COLUMN timer_permits.ends_at IS 'When the share ends unless the node renews it';
