-- Removes the share of a node. The row of the limit is locked. Index: primary key.
DELETE FROM timer_permits WHERE queue = :queue AND limit_name = :limit AND node = :node
