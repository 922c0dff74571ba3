-- Reads the hints of all queues: one row a queue, so a handful. Takes no lock. Index: primary key.
SELECT queue, sent, due_at FROM timer_hints ORDER BY queue
