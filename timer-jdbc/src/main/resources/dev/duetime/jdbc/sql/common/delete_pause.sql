-- Ends the pause of a queue. Locks the row. Index: primary key.
DELETE FROM timer_pauses WHERE queue = :queue
