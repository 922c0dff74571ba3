-- Tells which of some shards of a queue there are. Citus cannot skip locked rows, so that the statement after this one
-- fails as long as another transaction holds a shard. Takes no lock. Index: primary key.
SELECT shard
FROM timer_shards
WHERE queue = :queue AND shard IN (
    -- each shard, joined by ,
    :shard
    -- end
)
