-- Deletes timers that their queue does not keep, unless other generations stand by now. Locks the rows, in the order
-- of the outcomes. Index: primary key.
DELETE standing
FROM JSON_TABLE(:outcomes, '$[*]' COLUMNS (
    tenant_id varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$[0]',
    timer_id varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$[1]',
    scope varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$[2]',
    generation bigint PATH '$[3]'
)) AS outcome
STRAIGHT_JOIN timer_schedules AS standing FORCE INDEX (PRIMARY)
    ON standing.tenant_id = outcome.tenant_id
    AND standing.timer_id = outcome.timer_id
    AND standing.scope = outcome.scope
    AND standing.generation = outcome.generation
    AND standing.state = 'SCHEDULED'
