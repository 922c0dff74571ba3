-- Reads the clock of the database, in microseconds, whatever the time zone.
SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)
