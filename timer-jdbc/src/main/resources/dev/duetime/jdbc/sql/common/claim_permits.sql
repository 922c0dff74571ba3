-- Begins a change of a limit, if nobody has changed it since it was read. Locks its row, which no transaction of a user
-- ever locks. A version is positive, whatever another program wrote. Index: primary key.
UPDATE timer_permits
SET version = CASE WHEN version BETWEEN 0 AND 9223372036854775806 THEN version + 1 ELSE 1 END, since_at = :since,
    levels = :levels
WHERE queue = :queue AND limit_name = :limit AND node = '' AND version = :version
