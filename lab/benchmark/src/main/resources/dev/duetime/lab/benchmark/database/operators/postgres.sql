-- Fills the table with timers, as a service leaves them that keeps ended ones for a week: each 50th is scheduled, one in
-- 200 is dead, one in a hundred expired, as many were cancelled. Of 998 tenants the first has a fifth of all timers. Half
-- of the scheduled timers are due at one instant, in a queue of their own.
INSERT INTO timer_schedules (
    tenant_id, timer_id, queue, shard, due_at, wake_at, state, generation, attempt, revision, rearm, type, payload,
    priority, registered_at, settled_at, error, first_failed_at, last_failed_at)
SELECT CASE WHEN n % 5 = 0 THEN 'tenant-0' ELSE 'tenant-' || n % 997 END,
       md5(CAST(n AS text)),
       CASE WHEN n % 100 = 57 THEN 'queue-night' ELSE 'queue-' || n % 4 END,
       n / 4 % 64,
       CASE WHEN n % 100 = 57 THEN :now + 36000000000
            WHEN state = 'SCHEDULED' THEN :now + n % 1000000 * 60000
            ELSE :now + (n - :timers) * 60000 END,
       CASE WHEN n % 100 = 57 THEN :now + 36000000000
            WHEN state = 'SCHEDULED' THEN :now + n % 1000000 * 60000 END,
       state, n, 1, 0, FALSE,
       'type-' || n % 19,
       convert_to(repeat('x', 100), 'UTF8'),
       0,
       :now + (n - :timers) * 60000 - 1000000,
       CASE WHEN state <> 'SCHEDULED' THEN :now + (n - :timers) * 60000 END,
       CASE WHEN state = 'DEAD' THEN 'java.io.IOException: away' END,
       CASE WHEN state = 'DEAD' THEN :now + (n - :timers) * 60000 END,
       CASE WHEN state = 'DEAD' THEN :now + (n - :timers) * 60000 END
FROM (
    SELECT n,
           CASE WHEN n % 50 = 7 THEN 'SCHEDULED'
                WHEN n % 200 = 13 THEN 'DEAD'
                WHEN n % 100 = 3 THEN 'EXPIRED'
                WHEN n % 100 = 5 THEN 'CANCELLED'
                ELSE 'REACHED' END AS state
    FROM generate_series(CAST(1 AS bigint), :timers) AS n
) AS each_one
