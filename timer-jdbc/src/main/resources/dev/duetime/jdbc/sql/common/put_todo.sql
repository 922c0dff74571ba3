-- Stores an item of a to-do list; one that is there already is moved, and left as it is if its time is the same. Locks
-- the row. Index: primary key.
INSERT INTO timer_todo_items (list, item_id, overdue_at) VALUES (:list, :itemId, :overdueAt)
ON CONFLICT (list, item_id) DO UPDATE
SET overdue_at = excluded.overdue_at
WHERE timer_todo_items.overdue_at <> excluded.overdue_at
