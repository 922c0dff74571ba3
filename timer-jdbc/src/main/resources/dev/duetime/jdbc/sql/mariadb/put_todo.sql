-- Stores an item of a to-do list; one that is there already is moved. Locks the row. Index: primary key.
INSERT INTO timer_todo_items (list, item_id, overdue_at) VALUES (:list, :itemId, :overdueAt)
ON DUPLICATE KEY UPDATE overdue_at = VALUES(overdue_at)
