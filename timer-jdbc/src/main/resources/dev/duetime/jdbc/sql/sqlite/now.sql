-- Reads the clock of the machine, in microseconds with the precision of milliseconds.
SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000
