-- Ends a scheduled timer as cancelled; a row in another state does not match, nor does the generation that the caller's
-- node is delivering, unless it would recur. Locks the row. Index: primary key.
UPDATE timer_schedules
SET state = 'CANCELLED', wake_at = NULL, settled_at = :now
WHERE tenant_id = :tenantId
  AND timer_id = :timerId
  AND scope = :scope
  AND state = 'SCHEDULED'
  AND (generation <> :inDelivery OR recurrence IS NOT NULL)
