-- Removes an item of a to-do list, whatever its time. Locks the row. Index: primary key.
DELETE FROM timer_todo_items WHERE list = :list AND item_id = :itemId
