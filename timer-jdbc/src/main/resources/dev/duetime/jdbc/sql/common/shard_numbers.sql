-- Reads the numbers of a queue's shards that Duetime may have given, 0 to 499; none if the queue is new. Takes no lock.
-- Index: primary key.
SELECT shard FROM timer_shards WHERE queue = :queue AND shard BETWEEN 0 AND 499
