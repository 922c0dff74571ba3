-- Finds the first to-do list with open items whose name comes after another one. Takes no lock. Index: primary key,
-- entered at the name.
SELECT list
FROM timer_todo_items
WHERE list > :after
ORDER BY list
LIMIT 1
