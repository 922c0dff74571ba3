-- Schedules a batch of distinct, new keys, sorted, in one statement. It fails if a key exists: then schedule.sql decides.
-- Waits for other transactions that insert one of the keys. Index: primary key.
--
-- A new row costs a quarter less than with schedule.sql, which looks for each key first, marks the row as tentative, and
-- returns it. Up to the conflict, the two are alike.
INSERT INTO timer_schedules (
    tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, revision, rearm,
    type, payload, headers, trace, priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
    registered_at
)
SELECT
    tenant_id, timer_id, scope, queue, shard, due_at, due_at, expires_at, 'SCHEDULED', generation, 0, 0, rearm, type,
    payload, headers, trace, priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
    registered_at
FROM unnest(
    CAST(:tenantId AS text[]),
    CAST(:timerId AS text[]),
    CAST(:scope AS text[]),
    CAST(:queue AS text[]),
    CAST(:shard AS integer[]),
    CAST(:dueAt AS bigint[]),
    CAST(:expiresAt AS bigint[]),
    CAST(:generation AS bigint[]),
    CAST(:rearm AS boolean[]),
    CAST(:type AS text[]),
    CAST(:payload AS bytea[]),
    CAST(:headers AS text[]),
    CAST(:trace AS text[]),
    CAST(:priority AS integer[]),
    CAST(:correlationId AS text[]),
    CAST(:parallelKey AS text[]),
    CAST(:correlationKey AS text[]),
    CAST(:recurrence AS text[]),
    CAST(:catchUp AS text[]),
    CAST(:step AS text[]),
    CAST(:registeredAt AS bigint[])
) AS given (
    tenant_id, timer_id, scope, queue, shard, due_at, expires_at, generation, rearm, type,
    payload, headers, trace, priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
    registered_at
)
