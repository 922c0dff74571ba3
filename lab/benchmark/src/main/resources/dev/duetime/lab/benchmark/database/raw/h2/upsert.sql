-- Schedules one timer, unless it has ended or stands like that already. Index: primary key.
MERGE INTO timer_schedules AS standing
USING (VALUES (
    CAST(? AS varchar), CAST(? AS varchar), CAST(? AS integer), CAST(? AS bigint), CAST(? AS bigint), CAST(? AS bigint),
    CAST(? AS varbinary), CAST(? AS bigint)
)) AS given (tenant_id, timer_id, shard, due_at, wake_at, generation, payload, registered_at)
ON standing.tenant_id = given.tenant_id AND standing.timer_id = given.timer_id AND standing.scope = ''
WHEN MATCHED AND standing.state = 'SCHEDULED' AND standing.due_at <> given.due_at THEN UPDATE
SET shard = given.shard,
    due_at = given.due_at,
    wake_at = given.wake_at,
    generation = given.generation,
    revision = standing.revision + 1,
    payload = given.payload,
    registered_at = given.registered_at
WHEN NOT MATCHED THEN INSERT (
    tenant_id, timer_id, queue, shard, due_at, wake_at, state, generation, attempt, revision, type, payload, priority,
    registered_at
) VALUES (
    given.tenant_id, given.timer_id, 'default', given.shard, given.due_at, given.wake_at, 'SCHEDULED', given.generation,
    0, 0, 'timer', given.payload, 0, given.registered_at
)
