-- Stores an item of a to-do list; one that is there already is moved. Locks the row. Index: primary key. The value is
-- bound twice: VALUES() is deprecated from 8.0.20 on, and an alias of the row is unknown before 8.0.19.
INSERT INTO timer_todo_items (list, item_id, overdue_at) VALUES (:list, :itemId, :overdueAt)
ON DUPLICATE KEY UPDATE overdue_at = :overdueAt
