-- Removes an item of a to-do list, unless it was moved meanwhile. Locks the row. Index: primary key.
DELETE FROM timer_todo_items WHERE list = :list AND item_id = :itemId AND overdue_at = :overdueAt
