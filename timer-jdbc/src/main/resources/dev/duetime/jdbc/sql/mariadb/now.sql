-- Reads the clock of the database, in microseconds, whatever the time zone.
SELECT timestampdiff(MICROSECOND, timestamp '1970-01-01 00:00:00', utc_timestamp(6))
