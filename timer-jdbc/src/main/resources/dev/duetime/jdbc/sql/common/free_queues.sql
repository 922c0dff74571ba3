-- Tells which queues have shards that nobody owns, for instance because a node has just closed. Takes no lock. Scans the
-- table, which is small.
SELECT DISTINCT queue FROM timer_shards WHERE owner IS NULL
