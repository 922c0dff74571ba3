-- Reads what all nodes delivered lately: one row a queue and node. Takes no lock. Index: primary key.
SELECT queue, node, taken_at, in_delivery, delivered, lateness FROM timer_samples ORDER BY queue, node
