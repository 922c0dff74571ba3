-- Reads about how large each row is that purge.sql would delete. Takes no lock. Index: timer_schedules_settled.
SELECT octet_length(payload) + coalesce(char_length(headers), 0) + coalesce(char_length(trace), 0)
FROM timer_schedules
WHERE queue = :queue
  AND settled_at > -9223372036854775808
  AND settled_at < :before
  AND state IN ('REACHED', 'EXPIRED', 'CANCELLED')
FETCH FIRST :limit ROWS ONLY
