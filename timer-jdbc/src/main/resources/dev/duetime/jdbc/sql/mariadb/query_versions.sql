-- Reads one page of timers without their content, in the order and with the index of query.sql, to change them. The
-- reader tests what else is asked for, so that each statement is bounded and the next one goes on where it ended. Takes
-- no lock.
SELECT tenant_id, timer_id, scope, generation, state, recurrence, queue, type, due_at, settled_at
       -- if correlationId
       , correlation_id
       -- end
       -- if parallelKey
       , parallel_key
       -- end
       -- if errorClass
       , error
       -- end
FROM timer_schedules
-- if scheduled
FORCE INDEX (timer_schedules_state)
-- end
-- if ended
FORCE INDEX (timer_schedules_state)
-- end
-- if unknown
FORCE INDEX (timer_schedules_state)
-- end
WHERE 1 = 1
  -- if after
  AND (
    tenant_id = :afterTenantId AND timer_id = :afterTimerId AND scope > :afterScope
    OR tenant_id = :afterTenantId AND timer_id > :afterTimerId
    OR tenant_id > :afterTenantId
  )
  -- end
  -- if tenantId
  AND tenant_id >= :tenantId AND tenant_id <= :tenantId
  -- end
  -- if idRange
  AND timer_id >= :prefix AND timer_id < :prefixEnd
  -- end
  -- if scheduled
  AND state = 'SCHEDULED'
  -- end
  -- if ended
  AND state = :state
  -- end
  -- if unknown
  AND state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED', 'DEAD')
  -- end
ORDER BY tenant_id, timer_id, scope
LIMIT <looked>
