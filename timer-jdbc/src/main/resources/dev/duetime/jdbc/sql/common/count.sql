-- Counts timers by queue and state. A row in a state that this version does not know is counted as DEAD. Takes no lock.
-- Index: primary key if the tenant is asked for, timer_schedules_dead if there is one and the state is DEAD; else it
-- reads the whole table. A condition is none if its parameter is NULL; due times are unbounded by the least and the
-- greatest bigint.
SELECT queue,
       CASE WHEN state IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED') THEN state ELSE 'DEAD' END AS state,
       count(*) AS timers
FROM timer_schedules
WHERE (CAST(:tenantId AS varchar(255)) IS NULL OR tenant_id = :tenantId)
  AND (CAST(:queue AS varchar(255)) IS NULL OR queue = :queue)
  AND (
    CAST(:state AS varchar(255)) IS NULL
    OR CAST(:state AS varchar(255)) <> 'DEAD' AND state = :state
    OR CAST(:state AS varchar(255)) = 'DEAD' AND state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED')
  )
  AND (CAST(:type AS varchar(255)) IS NULL OR type = :type)
  AND due_at >= :dueFrom
  AND due_at < :dueBefore
GROUP BY queue, CASE WHEN state IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED') THEN state ELSE 'DEAD' END
