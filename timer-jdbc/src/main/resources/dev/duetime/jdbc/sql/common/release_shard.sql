-- Frees one shard, if the node holds it. Locks the row. Index: primary key.
UPDATE timer_shards
SET owner = NULL, lease_until = NULL
WHERE queue = :queue AND shard = :shard AND owner = :node
