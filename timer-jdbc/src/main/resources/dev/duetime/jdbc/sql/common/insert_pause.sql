-- Pauses a queue. Fails with a duplicate key if it was paused meanwhile; then it is counted again.
INSERT INTO timer_pauses (queue, paused_at, paused_by, operator, reason)
VALUES (:queue, :pausedAt, :pausedBy, :operator, :reason)
