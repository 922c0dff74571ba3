-- Forgets a node that leaves the queue. Locks the row. Index: primary key.
DELETE FROM timer_nodes WHERE queue = :queue AND node = :node
