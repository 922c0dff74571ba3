-- Begins a change of a limit, if nobody has changed it since it was read. Locks its row, which no transaction of a user
-- ever locks. Index: primary key.
UPDATE timer_permits SET version = version + 1, since_at = :since
WHERE queue = :queue AND limit_name = :limit AND node = '' AND version = :version
