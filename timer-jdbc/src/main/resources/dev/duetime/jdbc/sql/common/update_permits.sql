-- Writes the share of a node that has one. The row of the limit is locked. Index: primary key.
UPDATE timer_permits
SET units = :units, demand = :demand, total = :total, spacing = :spacing, since_at = :since, ends_at = :until
WHERE queue = :queue AND limit_name = :limit AND node = :node
