-- Takes the turn of all correlation keys of a queue that share a slot, whether there are timers of them or not: the next
-- one waits until this transaction ends. Locks the row, which the first one inserts. Index: primary key.
INSERT INTO timer_merge_slots AS standing (queue, slot, turn)
VALUES (:queue, :slot, 1)
ON CONFLICT (queue, slot) DO UPDATE
SET turn = CASE WHEN standing.turn < 9223372036854775807 THEN standing.turn + 1 ELSE 0 END
