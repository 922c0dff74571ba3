-- Reads scheduled timers in the order in which they wake: the first keys of each shard from the index, then the first
-- of all. Only these rows are read in full. The limit is written into the text. Takes no lock.
-- Index: timer_schedules_wake.
SELECT timer.tenant_id, timer.timer_id, timer.scope, timer.queue, timer.shard, timer.due_at, timer.wake_at, timer.expires_at,
       timer.state, timer.generation, timer.attempt, timer.type, NULL AS payload, NULL AS headers, NULL AS trace,
       timer.priority, timer.correlation_id, timer.parallel_key, timer.correlation_key, timer.recurrence,
       timer.catch_up, timer.step, timer.registered_at, timer.settled_at, timer.error, timer.first_failed_at,
       timer.last_failed_at, timer.previous_at
FROM (
    SELECT tenant_id, timer_id, scope
    FROM (
        -- each shard, joined by UNION ALL
        SELECT *
        FROM (
            SELECT tenant_id, timer_id, scope, wake_at
            FROM timer_schedules
            WHERE queue = :queue AND shard = :shard AND state = 'SCHEDULED' AND wake_at >= :from
              AND (wake_at > :from OR (tenant_id, timer_id, scope) > (:afterTenantId, :afterTimerId, :afterScope))
            ORDER BY wake_at, tenant_id, timer_id, scope
            LIMIT <limit>
        ) AS part
        -- end
    ) AS parts
    ORDER BY wake_at, tenant_id, timer_id, scope
    LIMIT <limit>
) AS next
JOIN timer_schedules AS timer
  ON timer.tenant_id = next.tenant_id AND timer.timer_id = next.timer_id AND timer.scope = next.scope
ORDER BY timer.wake_at, timer.tenant_id, timer.timer_id, timer.scope
