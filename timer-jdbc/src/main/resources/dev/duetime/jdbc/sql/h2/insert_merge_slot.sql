-- Takes the turn of a slot for the first time. Fails with a duplicate key if another transaction was faster; then it is run
-- again. Locks the new row. Index: primary key.
INSERT INTO timer_merge_slots (queue, slot, turn) VALUES (:queue, :slot, 1)
