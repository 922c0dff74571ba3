-- Ends delivered, expired or dead timers, unless other generations stand by now. Locks the rows, in the order
-- of the outcomes. Index: primary key.
UPDATE JSON_TABLE(:outcomes, '$[*]' COLUMNS (
    tenant_id varchar(255) CHARACTER SET utf8mb4 PATH '$[0]',
    timer_id varchar(255) CHARACTER SET utf8mb4 PATH '$[1]',
    scope varchar(64) CHARACTER SET utf8mb4 PATH '$[2]',
    generation bigint PATH '$[3]',
    state varchar(16) CHARACTER SET utf8mb4 PATH '$[4]',
    at bigint PATH '$[5]',
    attempt int PATH '$[6]',
    error varchar(2000) CHARACTER SET utf8mb4 PATH '$[7]',
    first_failed_at bigint PATH '$[8]',
    last_failed_at bigint PATH '$[9]'
)) AS outcome
STRAIGHT_JOIN timer_schedules AS standing FORCE INDEX (PRIMARY)
    ON standing.tenant_id = CAST(outcome.tenant_id AS BINARY)
    AND standing.timer_id = CAST(outcome.timer_id AS BINARY)
    AND standing.scope = CAST(outcome.scope AS BINARY)
    AND standing.generation = outcome.generation
    AND standing.state = 'SCHEDULED'
SET standing.state = outcome.state,
    standing.wake_at = NULL,
    standing.settled_at = outcome.at,
    standing.attempt = outcome.attempt,
    standing.error = outcome.error,
    standing.first_failed_at = outcome.first_failed_at,
    standing.last_failed_at = outcome.last_failed_at,
    standing.started_at = NULL
