-- Deletes what is older than the history is kept. Index: timer_occurrences_ended.
DELETE FROM timer_occurrences WHERE ended_at < :before
