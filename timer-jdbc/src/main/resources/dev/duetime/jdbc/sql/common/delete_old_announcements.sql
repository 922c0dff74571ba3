-- Forgets nodes that left without a word. Locks the rows. Index: primary key, the few nodes of one queue.
DELETE FROM timer_nodes WHERE queue = :queue AND alive_until < :until
