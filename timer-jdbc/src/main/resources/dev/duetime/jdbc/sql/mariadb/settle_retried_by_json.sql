-- Lets timers be delivered again later, unless other generations stand by now. Locks the rows, in the order
-- of the outcomes. Index: primary key.
UPDATE JSON_TABLE(:outcomes, '$[*]' COLUMNS (
    tenant_id varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$[0]',
    timer_id varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$[1]',
    scope varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$[2]',
    generation bigint PATH '$[3]',
    wake_at bigint PATH '$[4]',
    attempt int PATH '$[5]',
    error varchar(2000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$[6]',
    first_failed_at bigint PATH '$[7]',
    last_failed_at bigint PATH '$[8]'
)) AS outcome
STRAIGHT_JOIN timer_schedules AS standing FORCE INDEX (PRIMARY)
    ON standing.tenant_id = outcome.tenant_id
    AND standing.timer_id = outcome.timer_id
    AND standing.scope = outcome.scope
    AND standing.generation = outcome.generation
    AND standing.state = 'SCHEDULED'
SET standing.wake_at = outcome.wake_at,
    standing.attempt = outcome.attempt,
    standing.error = COALESCE(outcome.error, standing.error),
    standing.first_failed_at = COALESCE(outcome.first_failed_at, standing.first_failed_at),
    standing.last_failed_at = COALESCE(outcome.last_failed_at, standing.last_failed_at),
    standing.started_at = NULL
