-- Writes one shard that is missing, free. Of two nodes that open the queue at once, one waits for the other at the
-- first shard and then fails with a duplicate key: then it reads again. Locks the new row. Index: primary key.
INSERT INTO timer_shards (queue, shard, owner, epoch, lease_until) VALUES (:queue, :shard, NULL, 0, NULL)
