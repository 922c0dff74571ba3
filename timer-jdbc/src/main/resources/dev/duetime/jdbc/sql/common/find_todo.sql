-- Reads one item of a to-do list. Takes no lock. Index: primary key.
SELECT item_id, overdue_at FROM timer_todo_items WHERE list = :list AND item_id = :itemId
