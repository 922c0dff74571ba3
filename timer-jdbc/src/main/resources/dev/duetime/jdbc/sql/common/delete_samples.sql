-- Deletes the samples of nodes that have left. Reads the whole table, which has one row a queue and node.
DELETE FROM timer_samples WHERE taken_at < :before
