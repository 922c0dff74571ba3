-- Schedules a batch of distinct keys, sorted. Locks every row that it meets, also those that its WHERE holds back, until
-- the transaction ends. Index: primary key.
--
-- It differs from schedule.sql in how the timers are given: as rows, each of which Citus sends to the server that it
-- belongs to. A SELECT from unnest it would run itself, write down and copy to all, and lock the table against other
-- such statements. One server takes a single timer so, which costs less than 17 arrays. The rest is the same, word by
-- word, and explained there.
--
-- Rows are locked in their order on each server, but servers do not wait for each other: a deadlock is possible and
-- repeated.
INSERT INTO timer_schedules AS standing (
    tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, revision, rearm,
    type, payload, headers, trace, priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
    registered_at
)
VALUES
    -- each tenantId, timerId, scope, queue, shard, dueAt, expiresAt, generation, rearm, type, payload, headers, trace, priority, correlationId, parallelKey, correlationKey, recurrence, catchUp, step, registeredAt, joined by ,
    (
        :tenantId, :timerId, :scope, :queue, :shard, :dueAt, :dueAt, :expiresAt, 'SCHEDULED', :generation, 0, 0, :rearm,
        :type, :payload, :headers, :trace, :priority, :correlationId, :parallelKey, :correlationKey, :recurrence,
        :catchUp, :step, :registeredAt
    )
    -- end
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
