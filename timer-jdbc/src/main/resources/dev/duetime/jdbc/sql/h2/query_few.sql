-- Reads one page of scheduled timers in order of their keys, if few are scheduled: it looks at all of them. Takes no
-- lock. Only keys are sorted, as in query.sql.
SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
       -- if whole
       payload, headers, trace,
       -- end
       -- if listed
       NULL AS payload, NULL AS headers, NULL AS trace,
       -- end
       priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
       registered_at, settled_at, error, first_failed_at, last_failed_at, previous_at
FROM (
    SELECT tenant_id AS found_tenant_id, timer_id AS found_timer_id, scope AS found_scope
    FROM (
        SELECT queue, type, due_at, tenant_id, timer_id, scope
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
        WHERE state = 'SCHEDULED'
          -- if queue
          AND queue = :queue
          -- end
        LIMIT <looked>
    ) AS few
    WHERE 1 = 1
      -- if after
      AND (stringtoutf8(tenant_id), stringtoutf8(timer_id), stringtoutf8(scope))
        > (stringtoutf8(:afterTenantId), stringtoutf8(:afterTimerId), stringtoutf8(:afterScope))
      -- end
      -- if tenantId
      AND tenant_id = :tenantId
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
      -- if idPrefix
      AND stringtoutf8(timer_id) >= stringtoutf8(:prefix) AND stringtoutf8(timer_id) < stringtoutf8(:prefixEnd)
      -- end
      -- if correlationId
      AND correlation_id = :correlationId
      -- end
      -- if parallelKey
      AND parallel_key = :parallelKey
      -- end
      -- if errorClass
      AND (error = :errorClass OR substr(error, 1, :errorStartLength) = :errorStart)
      -- end
      -- if idRange
      AND stringtoutf8(timer_id) >= stringtoutf8(:prefix) AND stringtoutf8(timer_id) < stringtoutf8(:prefixEnd)
      -- end
    ORDER BY stringtoutf8(tenant_id), stringtoutf8(timer_id), stringtoutf8(scope)
    LIMIT <limit>
) AS found
JOIN timer_schedules ON tenant_id = found_tenant_id AND timer_id = found_timer_id AND scope = found_scope
ORDER BY stringtoutf8(tenant_id), stringtoutf8(timer_id), stringtoutf8(scope)
