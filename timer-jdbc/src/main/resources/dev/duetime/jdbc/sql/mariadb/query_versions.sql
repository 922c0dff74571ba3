-- Reads one page of timers without their content, to change them: what query.sql finds, in the same order, and of that
-- only what ended before a time; the greatest bigint leaves nothing out. A row in a state that this version does not
-- know is left out: nobody changes it. Takes no lock. Index: as query.sql.
SELECT tenant_id, timer_id, scope, generation, state, recurrence
FROM timer_schedules
WHERE (
    tenant_id = :afterTenantId AND timer_id = :afterTimerId AND scope > :afterScope
    OR tenant_id = :afterTenantId AND timer_id > :afterTimerId
    OR tenant_id > :afterTenantId
  )
  AND (CAST(:tenantId AS char) IS NULL OR tenant_id = :tenantId)
  AND (CAST(:queue AS char) IS NULL OR queue = :queue)
  AND (CAST(:state AS char) IS NULL OR state = :state)
  AND (CAST(:type AS char) IS NULL OR type = :type)
  AND due_at >= :dueFrom
  AND due_at < :dueBefore
  AND (:endedBefore = 9223372036854775807 OR settled_at < :endedBefore)
  AND state IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'DEAD', 'CANCELLED')
ORDER BY tenant_id, timer_id, scope
LIMIT :limit
