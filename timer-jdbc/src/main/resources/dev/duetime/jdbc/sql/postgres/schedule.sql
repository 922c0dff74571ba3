-- Schedules a batch of distinct keys, sorted, in one statement. Locks every row that it meets, also those that its
-- WHERE holds back, until the transaction ends. Index: primary key.
--
-- The WHERE is ScheduleDecision in SQL: a scheduled timer is replaced if anything it says is different, a cancelled
-- one always, another ended one only if rearm is set. What is held back is absent from the answer. A revision of 0
-- means created, another one rescheduled. Of the headers, the first line is compared, without the brace that ends it:
-- HeadersJson puts trace context on the second.
--
-- Two batches that race on a key do not both insert: the second waits for the first, then meets its row. Rows are
-- locked in the order of the arrays, so that two batches do not deadlock. Times are columns, and functions in DO UPDATE
-- are immutable: Citus would refuse others.
INSERT INTO timer_schedules AS standing (
    tenant_id, timer_id, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, revision, rearm, type,
    payload, headers, priority, correlation_id, parallel_key, correlation_key, recurrence, registered_at
)
SELECT
    tenant_id, timer_id, queue, shard, due_at, due_at, expires_at, 'SCHEDULED', generation, 0, 0, rearm, type,
    payload, headers, priority, correlation_id, parallel_key, correlation_key, recurrence, registered_at
FROM unnest(
    CAST(:tenantId AS text[]),
    CAST(:timerId AS text[]),
    CAST(:queue AS text[]),
    CAST(:shard AS integer[]),
    CAST(:dueAt AS bigint[]),
    CAST(:expiresAt AS bigint[]),
    CAST(:generation AS bigint[]),
    CAST(:rearm AS boolean[]),
    CAST(:type AS text[]),
    CAST(:payload AS bytea[]),
    CAST(:headers AS text[]),
    CAST(:priority AS integer[]),
    CAST(:correlationId AS text[]),
    CAST(:parallelKey AS text[]),
    CAST(:correlationKey AS text[]),
    CAST(:recurrence AS text[]),
    CAST(:registeredAt AS bigint[])
) AS given (
    tenant_id, timer_id, queue, shard, due_at, expires_at, generation, rearm, type,
    payload, headers, priority, correlation_id, parallel_key, correlation_key, recurrence, registered_at
)
ON CONFLICT (tenant_id, timer_id) DO UPDATE
SET queue = excluded.queue,
    shard = excluded.shard,
    due_at = excluded.due_at,
    wake_at = excluded.wake_at,
    expires_at = excluded.expires_at,
    state = excluded.state,
    generation = excluded.generation,
    attempt = excluded.attempt,
    revision = CASE WHEN standing.state = 'SCHEDULED' THEN standing.revision + 1 ELSE 0 END,
    rearm = excluded.rearm,
    type = excluded.type,
    payload = excluded.payload,
    headers = excluded.headers,
    priority = excluded.priority,
    correlation_id = excluded.correlation_id,
    parallel_key = excluded.parallel_key,
    correlation_key = excluded.correlation_key,
    recurrence = excluded.recurrence,
    step = NULL,
    registered_at = excluded.registered_at,
    settled_at = NULL,
    error = NULL,
    first_failed_at = NULL,
    last_failed_at = NULL
WHERE CASE
    WHEN standing.state = 'SCHEDULED' THEN (
        standing.queue, standing.due_at, standing.expires_at, standing.type, standing.payload,
        rtrim(split_part(COALESCE(standing.headers, '{}'), chr(10), 1), '}'),
        standing.priority, standing.correlation_id, standing.parallel_key, standing.correlation_key, standing.recurrence
    ) IS DISTINCT FROM (
        excluded.queue, excluded.due_at, excluded.expires_at, excluded.type, excluded.payload,
        rtrim(split_part(COALESCE(excluded.headers, '{}'), chr(10), 1), '}'),
        excluded.priority, excluded.correlation_id, excluded.parallel_key, excluded.correlation_key, excluded.recurrence
    )
    WHEN standing.state = 'CANCELLED' THEN TRUE
    ELSE excluded.rearm
END
RETURNING tenant_id, timer_id, revision
