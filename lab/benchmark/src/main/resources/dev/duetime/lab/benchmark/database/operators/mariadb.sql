-- Fills the table as the statement for PostgreSQL does, in order of the keys, which MariaDB stores the rows by.
INSERT INTO timer_schedules (
    tenant_id, timer_id, queue, shard, due_at, wake_at, state, generation, attempt, revision, type, payload, priority,
    registered_at, settled_at, error, first_failed_at, last_failed_at)
SELECT CASE WHEN n % 5 = 0 THEN 'tenant-0' ELSE CONCAT('tenant-', n % 997) END,
       md5(n),
       CASE WHEN n % 100 = 57 THEN 'queue-night' ELSE CONCAT('queue-', n % 4) END,
       n DIV 4 % 64,
       CASE WHEN n % 100 = 57 THEN :now + 36000000000
            WHEN state = 'SCHEDULED' THEN :now + n % 1000000 * 60000
            ELSE :now + (n - :timers) * 60000 END,
       CASE WHEN n % 100 = 57 THEN :now + 36000000000
            WHEN state = 'SCHEDULED' THEN :now + n % 1000000 * 60000 END,
       state, n, 1, 0,
       CONCAT('type-', n % 19),
       repeat('x', 100),
       0,
       :now + (n - :timers) * 60000 - 1000000,
       CASE WHEN state <> 'SCHEDULED' THEN :now + (n - :timers) * 60000 END,
       CASE WHEN state = 'DEAD' THEN 'java.io.IOException: away' END,
       CASE WHEN state = 'DEAD' THEN :now + (n - :timers) * 60000 END,
       CASE WHEN state = 'DEAD' THEN :now + (n - :timers) * 60000 END
FROM (
    SELECT CAST(seq AS SIGNED) AS n,
           CASE WHEN seq % 50 = 7 THEN 'SCHEDULED'
                WHEN seq % 200 = 13 THEN 'DEAD'
                WHEN seq % 100 = 3 THEN 'EXPIRED'
                WHEN seq % 100 = 5 THEN 'CANCELLED'
                ELSE 'REACHED' END AS state
    FROM seq_1_to_:timers
) AS each_one
ORDER BY 1, 2
