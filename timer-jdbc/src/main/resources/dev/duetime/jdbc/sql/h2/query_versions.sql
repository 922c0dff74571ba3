-- Reads one page of timers without their content, to change them: what query.sql finds, in the same order, and of that
-- only what ended before a time, if it is given. A row in a state that this version does not know is left out: nobody
-- changes it. Takes no lock. Index: as query.sql, which also says why there are marks.
SELECT tenant_id, timer_id, scope, generation, state, recurrence
FROM timer_schedules
WHERE state IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'DEAD', 'CANCELLED')
  -- if after
  AND (stringtoutf8(tenant_id), stringtoutf8(timer_id), stringtoutf8(scope))
    > (stringtoutf8(:afterTenantId), stringtoutf8(:afterTimerId), stringtoutf8(:afterScope))
  -- end
  -- if tenantId
  AND tenant_id = :tenantId
  -- end
  -- if queue
  AND queue = :queue
  -- end
  -- if scheduled
  AND state = 'SCHEDULED'
  -- end
  -- if ended
  AND state = :state
  -- end
  -- if dead
  AND state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED')
  -- end
  -- if type
  AND type = :type
  -- end
  -- if dueFrom
  AND due_at >= :dueFrom
  -- end
  -- if dueBefore
  AND due_at < :dueBefore
  -- end
  -- if endedBefore
  AND settled_at < :endedBefore
  -- end
ORDER BY stringtoutf8(tenant_id), stringtoutf8(timer_id), stringtoutf8(scope)
LIMIT <limit>
