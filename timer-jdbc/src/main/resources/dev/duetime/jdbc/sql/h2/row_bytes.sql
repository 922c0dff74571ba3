-- Reads about how large the row of a timer is. Takes no lock. Index: primary key.
SELECT octet_length(payload) + coalesce(char_length(headers), 0) + coalesce(char_length(trace), 0)
FROM timer_schedules
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope
