-- Reads the version of a limit, to know whether its row is there. Takes no lock. Index: primary key.
SELECT version FROM timer_permits WHERE queue = :queue AND limit_name = :limit AND node = ''
