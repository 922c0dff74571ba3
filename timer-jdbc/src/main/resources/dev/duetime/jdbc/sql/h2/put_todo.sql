-- Stores an item of a to-do list; one that is there already is moved. Fails with a duplicate key if another transaction
-- was faster to store it; then the batch is run again. Locks the row. Index: primary key.
MERGE INTO timer_todo_items (list, item_id, overdue_at) KEY (list, item_id) VALUES (:list, :itemId, :overdueAt)
