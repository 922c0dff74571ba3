-- Gives a node one shard, if it is free, its lease is over or ends later than any can, or the node holds it already. Of
-- two nodes that race one waits for the other, then matches nothing. Locks the row. Index: primary key.
UPDATE timer_shards
SET owner = :node, epoch = epoch + 1, lease_until = :until
WHERE queue = :queue
  AND shard = :shard
  AND (owner IS NULL OR owner = :node OR lease_until < :now OR lease_until > :furthest)
