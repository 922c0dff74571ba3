-- Gives a node one shard, if it is free, its lease is over, has no end or ends later than any can, or the node holds
-- it already. Of two nodes that race one waits for the other, then matches nothing. Locks the row. Index: primary key.
UPDATE timer_shards
SET owner = :node, epoch = CASE WHEN epoch < 9223372036854775807 THEN epoch + 1 ELSE 0 END, lease_until = :until
WHERE queue = :queue
  AND shard = :shard
  AND (owner IS NULL OR owner = :node OR lease_until IS NULL OR lease_until < :now
    OR lease_until > :furthest)
