-- Takes the turn of all correlation keys of a queue that share a slot, whether there are timers of them or not: the next
-- one waits until this transaction ends. Locks the row, which the first one inserts. Index: primary key.
INSERT INTO timer_merge_slots (queue, slot, turn) VALUES (:queue, :slot, 1)
ON DUPLICATE KEY UPDATE turn = CASE WHEN turn < 9223372036854775807 THEN turn + 1 ELSE 0 END
