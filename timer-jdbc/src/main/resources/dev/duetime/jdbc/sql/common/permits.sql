-- Reads the shares of all nodes in all limits: one row a limit and node, so a handful. A row without a node is that of
-- the limit itself. Takes no lock. Index: primary key.
SELECT queue, limit_name, node, version, units, demand, total, spacing, since_at, ends_at, levels
FROM timer_permits
ORDER BY queue, limit_name, node
