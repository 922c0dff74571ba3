-- Deletes a delivered timer, unless another generation stands. Index: primary key.
DELETE FROM timer_schedules
WHERE tenant_id = ? AND timer_id = ? AND scope = '' AND generation = ? AND state = 'SCHEDULED'
