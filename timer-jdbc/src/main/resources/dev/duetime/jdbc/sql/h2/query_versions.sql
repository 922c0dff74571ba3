-- Reads one page of timers without their content, to change them: what query.sql finds, in the same order, and of that
-- only what ended before a time; the greatest bigint leaves nothing out. A row in a state that this version does not
-- know is left out: nobody changes it. Takes no lock. Index: as query.sql.
SELECT tenant_id, timer_id, scope, generation, state, recurrence
FROM timer_schedules
WHERE (stringtoutf8(tenant_id), stringtoutf8(timer_id), stringtoutf8(scope))
    > (stringtoutf8(:afterTenantId), stringtoutf8(:afterTimerId), stringtoutf8(:afterScope))
  AND (CAST(:tenantId AS varchar(255)) IS NULL OR tenant_id = :tenantId)
  AND (CAST(:queue AS varchar(255)) IS NULL OR queue = :queue)
  AND (CAST(:state AS varchar(255)) IS NULL OR state = :state)
  AND (CAST(:type AS varchar(255)) IS NULL OR type = :type)
  AND due_at >= :dueFrom
  AND due_at < :dueBefore
  AND (:endedBefore = 9223372036854775807 OR settled_at < :endedBefore)
  AND state IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'DEAD', 'CANCELLED')
ORDER BY stringtoutf8(tenant_id), stringtoutf8(timer_id), stringtoutf8(scope)
LIMIT :limit
