-- Schedules one timer, unless it has ended or stands like that already. From left to right: the due time, which the
-- others look at, is last. Index: primary key.
INSERT INTO timer_schedules (
    tenant_id, timer_id, queue, shard, due_at, wake_at, state, generation, attempt, revision, type, payload, priority,
    registered_at
) VALUES (?, ?, 'default', ?, ?, ?, 'SCHEDULED', ?, 0, 0, 'timer', ?, 0, ?)
ON DUPLICATE KEY UPDATE
    shard = IF(state = 'SCHEDULED' AND due_at <> VALUES(due_at), VALUES(shard), shard),
    wake_at = IF(state = 'SCHEDULED' AND due_at <> VALUES(due_at), VALUES(wake_at), wake_at),
    generation = IF(state = 'SCHEDULED' AND due_at <> VALUES(due_at), VALUES(generation), generation),
    payload = IF(state = 'SCHEDULED' AND due_at <> VALUES(due_at), VALUES(payload), payload),
    revision = IF(state = 'SCHEDULED' AND due_at <> VALUES(due_at), revision + 1, revision),
    due_at = IF(state = 'SCHEDULED', VALUES(due_at), due_at)
