-- Schedules a batch of timers, but those that have ended or stand like that already. Index: primary key.
INSERT INTO timer_schedules AS standing (
    tenant_id, timer_id, queue, shard, due_at, wake_at, state, generation, attempt, revision, rearm, type, payload,
    priority, registered_at
)
SELECT tenant_id, timer_id, 'default', shard, due_at, due_at, 'SCHEDULED', generation, 0, 0, FALSE, 'timer', payload, 0,
       registered_at
FROM unnest(?::text[], ?::text[], ?::integer[], ?::bigint[], ?::bigint[], ?::bytea[], ?::bigint[])
    AS given (tenant_id, timer_id, shard, due_at, generation, payload, registered_at)
ON CONFLICT (tenant_id, timer_id, scope) DO UPDATE
SET shard = excluded.shard,
    due_at = excluded.due_at,
    wake_at = excluded.wake_at,
    generation = excluded.generation,
    attempt = excluded.attempt,
    revision = standing.revision + 1,
    payload = excluded.payload,
    registered_at = excluded.registered_at
WHERE standing.state = 'SCHEDULED'
  AND (standing.due_at <> excluded.due_at OR standing.payload <> excluded.payload)
RETURNING timer_id, revision
