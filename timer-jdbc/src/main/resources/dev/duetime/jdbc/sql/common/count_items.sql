-- Counts the first items of a to-do list, says how many of them are overdue, and finds the first. Overdue ones come first,
-- so one read answers all of it. The limit is written into the text. Takes no lock. Index: timer_todo_items_overdue, from
-- the beginning of the list.
SELECT count(*) AS items, sum(CASE WHEN overdue_at <= :now THEN 1 ELSE 0 END) AS overdue_items,
       min(overdue_at) AS first_overdue_at
FROM (
    SELECT overdue_at
    FROM timer_todo_items
    WHERE list = :list
    ORDER BY list, overdue_at, item_id
    LIMIT <most>
) AS found
