-- Schedules a batch of distinct keys, sorted, in one statement. Locks every row that it meets, also those that its
-- WHERE holds back, until the transaction ends. Index: primary key.
--
-- The WHERE is ScheduleDecision in SQL: a scheduled timer is replaced if anything it says is different, one with a
-- step never, a cancelled one always, another ended one only if rearm is set. What is held back is absent from the
-- answer, which names rows by their new generation. A revision of 0 means created, another one rescheduled. Trace context
-- is not compared.
--
-- Where a timer recurs, due time and deadline move on by themselves: of them, only the time between is compared. A
-- schedule by the rule that stands, however it catches up, keeps the occurrence that stands: one that is overdue would
-- be lost. The CASEs are alike, since Citus takes no LATERAL here. Other programs may have written any times into the row
-- that stands, so sums of them are bounded, and differences are numeric.
--
-- Two batches that race on a key do not both insert: the second waits for the first, then meets its row. Rows are
-- locked in the order of the arrays, so that two batches do not deadlock. Times are columns, and functions in DO UPDATE
-- are immutable: Citus would refuse others.
INSERT INTO timer_schedules AS standing (
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
ON CONFLICT (tenant_id, timer_id, scope) DO UPDATE
SET queue = excluded.queue,
    shard = excluded.shard,
    due_at = CASE
        WHEN standing.state = 'SCHEDULED' AND standing.recurrence = excluded.recurrence THEN standing.due_at
        ELSE excluded.due_at
    END,
    wake_at = CASE
        WHEN standing.state = 'SCHEDULED' AND standing.recurrence = excluded.recurrence THEN standing.due_at
        ELSE excluded.wake_at
    END,
    expires_at = CASE
        WHEN standing.state = 'SCHEDULED' AND standing.recurrence = excluded.recurrence
            AND standing.due_at > 9223372036854775807 - (excluded.expires_at - excluded.due_at)
        THEN 9223372036854775807
        WHEN standing.state = 'SCHEDULED' AND standing.recurrence = excluded.recurrence
        THEN standing.due_at + (excluded.expires_at - excluded.due_at)
        ELSE excluded.expires_at
    END,
    previous_at = CASE
        WHEN standing.state = 'SCHEDULED' AND standing.recurrence IS NOT NULL AND excluded.recurrence IS NOT NULL
        THEN standing.previous_at
    END,
    state = excluded.state,
    generation = excluded.generation,
    attempt = excluded.attempt,
    revision = CASE
        WHEN standing.state = 'SCHEDULED' AND standing.revision BETWEEN 0 AND 2147483646 THEN standing.revision + 1
        WHEN standing.state = 'SCHEDULED' THEN 1 ELSE 0 END,
    rearm = excluded.rearm,
    type = excluded.type,
    payload = excluded.payload,
    headers = excluded.headers,
    trace = excluded.trace,
    priority = excluded.priority,
    correlation_id = excluded.correlation_id,
    parallel_key = excluded.parallel_key,
    correlation_key = excluded.correlation_key,
    recurrence = excluded.recurrence,
    catch_up = excluded.catch_up,
    step = excluded.step,
    started_at = NULL,
    registered_at = excluded.registered_at,
    settled_at = NULL,
    error = NULL,
    first_failed_at = NULL,
    last_failed_at = NULL
WHERE CASE
    WHEN standing.state = 'SCHEDULED' THEN standing.step IS NULL AND (
        standing.queue, CASE WHEN excluded.recurrence IS NULL THEN standing.due_at END,
        CAST(standing.expires_at AS numeric) - standing.due_at, standing.type, standing.payload, standing.headers,
        standing.priority, standing.correlation_id, standing.parallel_key, standing.correlation_key,
        standing.recurrence, standing.catch_up, standing.step
    ) IS DISTINCT FROM (
        excluded.queue, CASE WHEN excluded.recurrence IS NULL THEN excluded.due_at END,
        excluded.expires_at - excluded.due_at, excluded.type, excluded.payload, excluded.headers,
        excluded.priority, excluded.correlation_id, excluded.parallel_key, excluded.correlation_key,
        excluded.recurrence, excluded.catch_up, excluded.step
    )
    WHEN standing.state = 'CANCELLED' THEN TRUE
    ELSE excluded.rearm
END
RETURNING generation, revision
