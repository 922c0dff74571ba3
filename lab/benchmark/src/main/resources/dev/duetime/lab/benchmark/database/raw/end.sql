-- Ends a delivered timer, unless another generation stands. Index: primary key.
UPDATE timer_schedules
SET state = 'REACHED', wake_at = NULL, settled_at = ?, attempt = ?
WHERE tenant_id = ? AND timer_id = ? AND scope = '' AND generation = ? AND state = 'SCHEDULED'
