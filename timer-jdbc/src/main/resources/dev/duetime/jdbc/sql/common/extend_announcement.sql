-- Makes a known node count as alive for longer. Locks the row. Index: primary key.
UPDATE timer_nodes SET alive_until = :until WHERE queue = :queue AND node = :node
