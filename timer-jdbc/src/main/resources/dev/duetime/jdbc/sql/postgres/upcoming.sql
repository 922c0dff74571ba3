-- Reads scheduled timers in the order in which they wake, then by key. Only the rows of the page are read in full, by
-- their places: each was read for its key just before. The key is compared, too, since the parts of a partitioned table
-- have the same places.
--
-- The shards are joined to one index scan, which is run again for each: to plan a part of the statement for each of 64
-- shards takes longer than to run it.
--
-- The index ends with the time. So the timers of one instant are sorted by key after they were read, and all of them
-- would have to be read. A million timers may be due at midnight. So the statement first finds the instant of the last
-- timer of the page, in the index alone. It reads a bounded number of the timers of that instant, and of the instant at
-- which the page begins. The timers in between are fewer than the page's limit.
--
-- That instant is found in two steps. The first entries of each shard, about twice as many in all as the page has,
-- contain a page of timers: so the page ends with the last of these or before. Then only entries before that bound are
-- read. If there are fewer than a page, the page ends with the bound. Without the first step, a page would be read from
-- each shard.
--
-- The limits are written into the text, and the times and shards are subqueries, so that the cost does not depend on a
-- parameter and PostgreSQL keeps a generic plan.
--
-- Takes no lock. Index: timer_schedules_wake.
WITH asked AS (
    SELECT CAST(:from AS bigint) AS since
), heads AS (
    SELECT part.wake_at
    FROM unnest((SELECT CAST(:shards AS integer[]))) AS looked (shard)
    CROSS JOIN LATERAL (
        SELECT wake_at
        FROM timer_schedules AS timer
        WHERE queue = :queue AND timer.shard = looked.shard AND state = 'SCHEDULED'
          AND wake_at > (SELECT since FROM asked)
        ORDER BY wake_at
        LIMIT <head>
    ) AS part
), bound AS (
    SELECT COALESCE(
        (SELECT wake_at FROM heads ORDER BY wake_at LIMIT 1 OFFSET <limit> - 1), 9223372036854775807
    ) AS until
), final AS (
    SELECT max(wake_at) AS instant
    FROM (
        SELECT until AS wake_at FROM bound
        UNION ALL
        SELECT part.wake_at
        FROM unnest((SELECT CAST(:shards AS integer[]))) AS looked (shard)
        CROSS JOIN LATERAL (
            SELECT wake_at
            FROM timer_schedules AS timer
            WHERE queue = :queue AND timer.shard = looked.shard AND state = 'SCHEDULED'
              AND wake_at > (SELECT since FROM asked) AND wake_at < (SELECT until FROM bound)
            ORDER BY wake_at
            LIMIT <limit>
        ) AS part
        ORDER BY wake_at
        LIMIT <limit>
    ) AS nearest
)
SELECT timer.tenant_id, timer.timer_id, timer.scope, timer.queue, timer.shard, timer.due_at, timer.wake_at, timer.expires_at,
       timer.state, timer.generation, timer.attempt, timer.type, NULL AS payload, NULL AS headers, NULL AS trace,
       timer.priority, timer.correlation_id, timer.parallel_key, timer.correlation_key, timer.recurrence,
       timer.catch_up, timer.step, timer.registered_at, timer.settled_at, timer.error, timer.first_failed_at,
       timer.last_failed_at, timer.previous_at
FROM (
    SELECT place, tenant_id, timer_id, scope, wake_at
    FROM (
        SELECT *
        FROM (
            SELECT part.*
            FROM unnest((SELECT CAST(:shards AS integer[]))) AS looked (shard)
            CROSS JOIN LATERAL (
                SELECT ctid AS place, tenant_id, timer_id, scope, wake_at
                FROM timer_schedules AS timer
                WHERE queue = :queue AND timer.shard = looked.shard AND state = 'SCHEDULED'
                  AND wake_at = (SELECT since FROM asked)
                LIMIT <atOneInstant>
            ) AS part
            LIMIT <atOneInstant>
        ) AS begun
        WHERE (tenant_id, timer_id, scope) > (:afterTenantId, :afterTimerId, :afterScope)
        UNION ALL
        SELECT part.*
        FROM unnest((SELECT CAST(:shards AS integer[]))) AS looked (shard)
        CROSS JOIN LATERAL (
            SELECT ctid AS place, tenant_id, timer_id, scope, wake_at
            FROM timer_schedules AS timer
            WHERE queue = :queue AND timer.shard = looked.shard AND state = 'SCHEDULED'
              AND wake_at > (SELECT since FROM asked) AND wake_at < (SELECT instant FROM final)
            ORDER BY wake_at
            LIMIT <limit>
        ) AS part
        UNION ALL
        SELECT *
        FROM (
            SELECT part.*
            FROM unnest((SELECT CAST(:shards AS integer[]))) AS looked (shard)
            CROSS JOIN LATERAL (
                SELECT ctid AS place, tenant_id, timer_id, scope, wake_at
                FROM timer_schedules AS timer
                WHERE queue = :queue AND timer.shard = looked.shard AND state = 'SCHEDULED'
                  AND wake_at = (SELECT instant FROM final)
                LIMIT <atOneInstant>
            ) AS part
            LIMIT <atOneInstant>
        ) AS ended
    ) AS parts
    ORDER BY wake_at, tenant_id, timer_id, scope
    LIMIT <limit>
) AS next
JOIN timer_schedules AS timer
  ON timer.ctid = next.place AND timer.tenant_id = next.tenant_id AND timer.timer_id = next.timer_id AND timer.scope = next.scope
ORDER BY next.wake_at, next.tenant_id, next.timer_id, next.scope
