-- Counts timers by queue and state. A row in a state that this version does not know is counted as DEAD. Takes no lock.
-- Index: primary key if the tenant is asked for; else it reads the whole table. A condition is none if its parameter is
-- NULL; due times are unbounded by the least and the greatest bigint.
SELECT queue,
       CASE WHEN state IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED') THEN state ELSE 'DEAD' END AS state,
       count(*) AS timers
FROM timer_schedules
WHERE (CAST(:tenantId AS char) IS NULL OR tenant_id = :tenantId)
  AND (CAST(:queue AS char) IS NULL OR queue = :queue)
  AND (
    CAST(:state AS char) IS NULL
    OR CAST(:state AS char) <> 'DEAD' AND state = :state
    OR CAST(:state AS char) = 'DEAD' AND state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED')
  )
  AND (CAST(:type AS char) IS NULL OR type = :type)
  AND due_at >= :dueFrom
  AND due_at < :dueBefore
GROUP BY queue, CASE WHEN state IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED') THEN state ELSE 'DEAD' END
