-- Takes the turn of all correlation keys of a queue that share a slot, whether there are timers of them or not: the next
-- one waits until this transaction ends. Locks the row; if there is none, insert_merge_slot.sql follows. Index: primary
-- key. One MERGE would do both, but two at once end in an internal error of H2 (2.5).
UPDATE timer_merge_slots SET turn = CASE WHEN turn < 9223372036854775807 THEN turn + 1 ELSE 0 END
WHERE queue = :queue AND slot = :slot
