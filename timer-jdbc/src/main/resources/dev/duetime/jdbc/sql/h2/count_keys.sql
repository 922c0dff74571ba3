-- Counts the timers that an index finds, no further than a bound. Takes no lock. Index: the primary key, in its own
-- order. A count needs no order of code points, for which H2 would sort all keys. It names only columns of that index,
-- so the rows themselves are not read.
SELECT count(*) AS timers
FROM (
    SELECT tenant_id
    FROM timer_schedules
    WHERE 1 = 1
      -- if tenantId
      AND tenant_id = :tenantId
      -- end
      -- if idRange
      AND stringtoutf8(timer_id) >= stringtoutf8(:prefix) AND stringtoutf8(timer_id) < stringtoutf8(:prefixEnd)
      -- end
      -- if scheduled
      AND state = 'SCHEDULED'
      -- end
      -- if dead
      AND state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED')
      -- end
    ORDER BY tenant_id, timer_id, scope
    LIMIT <looked>
) AS found
