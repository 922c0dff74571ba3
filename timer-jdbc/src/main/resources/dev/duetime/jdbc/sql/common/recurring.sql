-- Reads one page of scheduled timers that recur, without their payloads, in order of their keys. Takes no lock. Index:
-- timer_schedules_recurring, from the last key of the page before.
SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
       NULL AS payload, NULL AS headers, NULL AS trace, priority, correlation_id, parallel_key, correlation_key,
       recurrence, catch_up, step, registered_at, settled_at, error, first_failed_at, last_failed_at, previous_at
FROM timer_schedules
WHERE state = 'SCHEDULED' AND recurrence IS NOT NULL
  -- if after
  AND (tenant_id, timer_id, scope) > (:afterTenantId, :afterTimerId, :afterScope)
  -- end
  -- if afterInTenant
  AND (timer_id, scope) > (:afterTimerId, :afterScope)
  -- end
  -- if tenantId
  AND tenant_id = :tenantId
  -- end
  -- if tenantRange
  AND tenant_id >= :tenantId AND tenant_id <= :tenantId
  -- end
  -- if tenantEnd
  AND tenant_id <= :tenantId
  -- end
ORDER BY tenant_id, timer_id, scope
LIMIT <limit>
