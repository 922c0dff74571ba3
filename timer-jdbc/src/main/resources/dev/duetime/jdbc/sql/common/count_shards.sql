-- Counts the shards of a queue; 0 if it is new. Takes no lock. Index: primary key.
SELECT count(*) FROM timer_shards WHERE queue = :queue
