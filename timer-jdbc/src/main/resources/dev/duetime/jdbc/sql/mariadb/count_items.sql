-- Counts the first items of a to-do list up to a time, and finds the first. The limit is written into the text. Takes no
-- lock. Index: timer_todo_items_overdue, from the beginning of the list. Named, or a long list is read by its primary
-- key and sorted.
SELECT count(*) AS items, min(overdue_at) AS first_overdue_at
FROM (
    SELECT overdue_at
    FROM timer_todo_items FORCE INDEX (timer_todo_items_overdue)
    WHERE list = :list AND overdue_at <= :until
    ORDER BY overdue_at, item_id
    LIMIT <most>
) AS found
