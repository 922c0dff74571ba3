-- Counts timers by queue and state. A row in a state that this version does not know is counted as DEAD. Takes no lock.
-- Index: primary key if the tenant is asked for, timer_schedules_dead if there is one and dead timers are asked for; else
-- it reads the whole table. A condition that is not asked for is left out of the text, so that the plan fits.
SELECT queue,
       CASE WHEN state IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED') THEN state ELSE 'DEAD' END AS state,
       count(*) AS timers
FROM timer_schedules
WHERE 1 = 1
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
GROUP BY queue, CASE WHEN state IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED') THEN state ELSE 'DEAD' END
