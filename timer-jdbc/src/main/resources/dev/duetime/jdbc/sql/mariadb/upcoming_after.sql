-- Reads the page of upcoming.sql that follows a timer. Its key is compared as four ranges, since a comparison of rows
-- uses no index here. The limits are written into the text. Takes no lock. Index: timer_schedules_wake.
SELECT timer.tenant_id, timer.timer_id, timer.scope, timer.queue, timer.shard, timer.due_at, timer.wake_at, timer.expires_at,
       timer.state, timer.generation, timer.attempt, timer.type, NULL AS payload, NULL AS headers, NULL AS trace,
       timer.priority, timer.correlation_id, timer.parallel_key, timer.correlation_key, timer.recurrence,
       timer.catch_up, timer.step, timer.registered_at, timer.settled_at, timer.error, timer.first_failed_at,
       timer.last_failed_at, timer.previous_at
FROM (
    SELECT tenant_id, timer_id, scope
    FROM (
        -- each shard, joined by UNION ALL
        (
        SELECT tenant_id, timer_id, scope, wake_at
        FROM timer_schedules
        FORCE INDEX (timer_schedules_wake)
        WHERE queue = :queue AND shard = :shard AND state = 'SCHEDULED' AND wake_at >= :from
          AND (
            wake_at > :from
            OR wake_at = :from AND tenant_id > :afterTenantId
            OR wake_at = :from AND tenant_id = :afterTenantId AND timer_id > :afterTimerId
            OR wake_at = :from AND tenant_id = :afterTenantId AND timer_id = :afterTimerId AND scope > :afterScope
          )
        ORDER BY wake_at, tenant_id, timer_id, scope
        LIMIT <head>
        )
        -- end
    ) AS parts
    ORDER BY wake_at, tenant_id, timer_id, scope
    LIMIT <limit>
) AS next
JOIN timer_schedules AS timer
  ON timer.tenant_id = next.tenant_id AND timer.timer_id = next.timer_id AND timer.scope = next.scope
ORDER BY timer.wake_at, timer.tenant_id, timer.timer_id, timer.scope
