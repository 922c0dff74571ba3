-- Locks those of some shards of a queue that no other transaction holds. Index: primary key.
SELECT shard
FROM timer_shards
WHERE queue = :queue AND shard IN (
    -- each shard, joined by ,
    :shard
    -- end
)
FOR UPDATE SKIP LOCKED
