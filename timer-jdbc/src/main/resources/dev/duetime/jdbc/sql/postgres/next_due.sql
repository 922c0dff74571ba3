-- Reads the earliest time, from a given one on, at which a timer of the given shards wakes. It takes one probe of the
-- index for each shard. Takes no lock. Index: timer_schedules_wake.
-- It also tells whether the queue is paused, so that this costs no statement of its own; by primary key. It
-- tells the size of the table, too, so that statements get other plans when it has grown.
SELECT min(wake_at) AS wake_at, min(paused_at) AS paused_at, min(paused_by) AS paused_by, min(operator) AS operator,
       min(reason) AS reason,
       (SELECT pg_relation_size(COALESCE(
            to_regclass(quote_ident(current_schema()) || '.' || quote_ident('timer_schedules')),
            to_regclass(quote_ident('timer_schedules'))))) AS table_bytes
FROM (
    SELECT CAST(NULL AS bigint) AS wake_at, paused_at, paused_by, operator, reason
    FROM timer_pauses
    WHERE queue = :queue
    UNION ALL
    SELECT first.wake_at, NULL, NULL, NULL, NULL
    FROM unnest((SELECT CAST(:shards AS integer[]))) AS owned (shard)
    CROSS JOIN LATERAL (
        SELECT wake_at
        FROM timer_schedules AS timer
        WHERE queue = :queue AND timer.shard = owned.shard AND state = 'SCHEDULED'
          AND wake_at >= (SELECT CAST(:from AS bigint))
        ORDER BY wake_at
        LIMIT 1
    ) AS first
) AS earliest
