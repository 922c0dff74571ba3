-- Adds the row of a limit, without a node, or the share of a node that has none. Of two nodes that race for the row of a
-- limit one fails, and then finds it there.
INSERT INTO timer_permits (queue, limit_name, node, version, units, demand, total, spacing, since_at, ends_at,
    levels)
VALUES (:queue, :limit, :node, :version, :units, :demand, :total, :spacing, :since, :until, :levels)
