-- Reads one page of what is overdue on a to-do list, the oldest first, after :afterOverdueAt, :afterItemId (the least
-- bigint and '' for the first page). Takes no lock. Index: timer_todo_items_overdue alone, entered at the page (written
-- as two ranges, since a comparison of rows uses no index here) and in order, so that neither what is not overdue yet
-- nor what came before is read. Named, or a list that is overdue as a whole is read by its primary key and sorted.
SELECT item_id, overdue_at
FROM timer_todo_items FORCE INDEX (timer_todo_items_overdue)
WHERE list = :list
  AND (
    overdue_at = :afterOverdueAt AND overdue_at <= :now AND item_id > :afterItemId
    OR overdue_at > :afterOverdueAt AND overdue_at <= :now
  )
ORDER BY overdue_at, item_id
LIMIT :limit
