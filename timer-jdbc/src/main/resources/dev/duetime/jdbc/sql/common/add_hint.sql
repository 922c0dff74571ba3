-- Leaves a hint for the owners of a queue's shards: their next look sees another number. Locks the row, which no
-- transaction of a user ever locks. Index: primary key.
UPDATE timer_hints SET sent = CASE WHEN sent < 9223372036854775807 THEN sent + 1 ELSE 0 END, due_at = :dueAt
WHERE queue = :queue
