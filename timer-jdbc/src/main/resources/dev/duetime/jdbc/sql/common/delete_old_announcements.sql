-- Forgets nodes that left without a word, and those that would be alive for longer than any can. Locks the rows. Index:
-- primary key, the few nodes of one queue.
DELETE FROM timer_nodes WHERE queue = :queue AND (alive_until < :until OR alive_until > :furthest)
