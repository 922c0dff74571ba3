-- Counts the timers that an index finds, no further than a bound. Takes no lock. Index: timer_schedules_state if a state
-- is asked for, the primary key for a tenant, else any. It names only columns of that index, so rows are read only for a
-- tenant, whose primary key has them. It returns none of the columns: MariaDB would write the tenants of 50,000 timers to
-- a temporary table on the disk.
SELECT count(*) AS timers
FROM (
    SELECT 1 AS one
    FROM timer_schedules
    -- if tenantId
    FORCE INDEX (PRIMARY)
    -- end
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
      -- if tenantId
      AND tenant_id = :tenantId
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
    LIMIT <looked>
) AS found
