-- Fills the tables as the statements for PostgreSQL do, in order of the keys, which MySQL stores the rows by.

-- MySQL has no series of numbers: these are the numbers of seven digits.
CREATE TABLE digits (d bigint NOT NULL);
INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
CREATE VIEW timer_numbers AS
SELECT 1 + a.d + 10 * b.d + 100 * c.d + 1000 * d.d + 10000 * e.d + 100000 * f.d + 1000000 * g.d AS n
FROM digits a, digits b, digits c, digits d, digits e, digits f, digits g;

INSERT INTO timer_schedules (
    tenant_id, timer_id, queue, shard, due_at, wake_at, state, generation, attempt, revision, type, payload,
    priority, correlation_key, recurrence, catch_up, registered_at, settled_at, error, first_failed_at, last_failed_at)
SELECT CASE WHEN n DIV 7 % 5 = 0 THEN 'tenant-0' ELSE CONCAT('tenant-', n % 997) END,
       md5(n),
       CASE WHEN n % 100 = 57 THEN 'queue-night' ELSE CONCAT('queue-', n DIV 11 % 4) END,
       n DIV 44 % 64,
       CASE WHEN n % 100 = 57 THEN :now + 36000000000
            WHEN state = 'SCHEDULED' THEN :now + n % 1000000 * 60000
            ELSE :now + (n - :timers) * 60000 END,
       CASE WHEN n % 100 = 57 THEN :now + 36000000000
            WHEN state = 'SCHEDULED' THEN :now + n % 1000000 * 60000 END,
       state, n, 1, 0,
       CONCAT('type-', n % 19),
       repeat('x', 100),
       0,
       CASE WHEN n % 500 = 207 THEN CONCAT('c-', n % 997) END,
       CASE WHEN n % 1000 = 7 THEN 'PT1H' END,
       CASE WHEN n % 1000 = 7 THEN 'LATEST' END,
       :now + (n - :timers) * 60000 - 1000000,
       CASE WHEN state <> 'SCHEDULED' THEN :now + (n - :timers) * 60000 END,
       CASE WHEN state <> 'DEAD' THEN NULL
            WHEN n % 3 = 0 THEN CONCAT('java.net.SocketTimeoutException: no answer from shard ', n % 64)
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
    FROM timer_numbers WHERE n <= :timers
) AS each_one
ORDER BY 1, 2;

-- A tenth as many items on 20 to-do lists, half of them overdue.
INSERT INTO timer_todo_items (list, item_id, overdue_at)
SELECT CONCAT('list-', n % 20), md5(n), :now + (n - :timers DIV 20) * 60000
FROM timer_numbers WHERE n <= :timers DIV 10
ORDER BY 1, 2;

-- A fiftieth as many occurrences: 200 of each timer that has any.
INSERT INTO timer_occurrences (tenant_id, timer_id, scope, due_at, outcome, ended_at, attempts, error)
SELECT 'tenant-0', CONCAT('recurring-', n DIV 200), '',
       :now - n % 200 * 3600000000,
       'DELIVERED',
       :now - n % 200 * 3600000000 + 5000,
       1, NULL
FROM (SELECT n + 199 AS n FROM timer_numbers WHERE n <= :timers DIV 50) AS numbers
ORDER BY 1, 2, 4;

DROP VIEW timer_numbers;
DROP TABLE digits;
