-- Finds out whether a key has a row that a caller's snapshot does not show: fails with a duplicate key if it has one.
-- If not, the new row is undone at once, by a savepoint, and with it its lock. The empty queue is nobody's, so that no
-- lock of a range of another index is in the way. Locks the row. Index: primary key.
INSERT INTO timer_schedules (
    tenant_id, timer_id, scope, queue, shard, due_at, state, generation, attempt, revision, type, payload, priority,
    registered_at
) VALUES (
    :tenantId, :timerId, :scope, '', 0, 0, 'CANCELLED', 0, 0, 0, '', '', 0, 0
)
