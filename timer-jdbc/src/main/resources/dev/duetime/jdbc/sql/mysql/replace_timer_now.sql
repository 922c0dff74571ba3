-- Writes a schedule over a row that is locked already: it starts afresh. The revision is set first, since MySQL
-- computes from left to right. Index: primary key.
UPDATE timer_schedules
SET revision = CASE
        WHEN state = 'SCHEDULED' AND revision BETWEEN 0 AND 2147483646 THEN revision + 1
        WHEN state = 'SCHEDULED' THEN 1 ELSE 0 END,
    queue = :queue,
    shard = :shard,
    due_at = :dueAt,
    wake_at = :dueAt,
    expires_at = :expiresAt,
    state = 'SCHEDULED',
    generation = :generation,
    attempt = 0,
    type = :type,
    payload = :payload,
    headers = :headers,
    trace = :trace,
    priority = :priority,
    correlation_id = :correlationId,
    parallel_key = :parallelKey,
    correlation_key = :correlationKey,
    recurrence = :recurrence,
    catch_up = :catchUp,
    step = :step,
    started_at = NULL,
    previous_at = :previousAt,
    registered_at = :registeredAt,
    settled_at = NULL,
    error = NULL,
    first_failed_at = NULL,
    last_failed_at = NULL
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope
