-- Deletes some of what is older than the history is kept, the oldest first. Locks the rows. Index:
-- timer_occurrences_ended.
DELETE FROM timer_occurrences WHERE ended_at < :before ORDER BY ended_at LIMIT :limit
