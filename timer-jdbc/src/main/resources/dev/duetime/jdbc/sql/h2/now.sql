-- Reads the clock of the database, in microseconds, whatever the time zone.
SELECT datediff(MICROSECOND, timestamp with time zone '1970-01-01 00:00:00+00', current_timestamp(6))
