-- Fills the tables with timers, as a service leaves them that keeps ended ones for a week: each 50th is scheduled, one in
-- 200 is dead, one in a hundred expired, as many were cancelled. Of 998 tenants the first has a fifth of all timers. Half
-- of the scheduled timers are due at one instant, in a queue of their own; a twentieth of them recurs.
INSERT INTO timer_schedules (
    tenant_id, timer_id, queue, shard, due_at, wake_at, state, generation, attempt, revision, rearm, type, payload,
    priority, correlation_key, recurrence, catch_up, registered_at, settled_at, error, first_failed_at, last_failed_at)
SELECT CASE WHEN n / 7 % 5 = 0 THEN 'tenant-0' ELSE 'tenant-' || n % 997 END,
       md5(CAST(n AS text)),
       CASE WHEN n % 100 = 57 THEN 'queue-night' ELSE 'queue-' || n / 11 % 4 END,
       n / 44 % 64,
       CASE WHEN n % 100 = 57 THEN :now + 36000000000
            WHEN state = 'SCHEDULED' THEN :now + n % 1000000 * 60000
            ELSE :now + (n - :timers) * 60000 END,
       CASE WHEN n % 100 = 57 THEN :now + 36000000000
            WHEN state = 'SCHEDULED' THEN :now + n % 1000000 * 60000 END,
       state, n, 1, 0, FALSE,
       'type-' || n % 19,
       convert_to(repeat('x', 100), 'UTF8'),
       0,
       CASE WHEN n % 500 = 207 THEN 'c-' || n % 997 END,
       CASE WHEN n % 1000 = 7 THEN 'PT1H' END,
       CASE WHEN n % 1000 = 7 THEN 'LATEST' END,
       :now + (n - :timers) * 60000 - 1000000,
       CASE WHEN state <> 'SCHEDULED' THEN :now + (n - :timers) * 60000 END,
       CASE WHEN state <> 'DEAD' THEN NULL
            WHEN n % 3 = 0 THEN 'java.net.SocketTimeoutException: no answer from shard ' || n % 64
            ELSE 'java.io.IOException: away' END,
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
) AS each_one;

-- A tenth as many items on 20 to-do lists, half of them overdue.
INSERT INTO timer_todo_items (list, item_id, overdue_at)
SELECT 'list-' || n % 20, md5(CAST(n AS text)), :now + (n - :timers / 20) * 60000
FROM generate_series(CAST(1 AS bigint), :timers / 10) AS n;

-- A fiftieth as many occurrences: 200 of each timer that has any.
INSERT INTO timer_occurrences (tenant_id, timer_id, scope, due_at, outcome, ended_at, attempts, error)
SELECT 'tenant-0', 'recurring-' || n / 200, '',
       :now - n % 200 * 3600000000,
       'DELIVERED',
       :now - n % 200 * 3600000000 + 5000,
       1, NULL
FROM generate_series(CAST(200 AS bigint), 199 + :timers / 50) AS n;
