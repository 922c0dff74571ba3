-- Reads nothing from each table, and from each column that a migration after V1 has added, so that a table or column
-- that is missing or may not be read is found when the store is opened. What version n adds is marked with vn: the store
-- asks for one version more at a time, to tell which one is missing. Takes no lock. Index: none.
SELECT timer_schedules.queue
-- if v3
, timer_pauses.operator, timer_pauses.reason
-- end
-- if v7
, timer_permits.levels
-- end
FROM timer_schedules, timer_shards, timer_nodes, timer_pauses, timer_merge_slots, timer_todo_items
-- if v2
, timer_hints
-- end
-- if v4
, timer_samples
-- end
-- if v5
, timer_occurrences
-- end
-- if v6
, timer_permits
-- end
WHERE 1 = 0
