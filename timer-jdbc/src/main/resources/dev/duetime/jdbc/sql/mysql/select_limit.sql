-- The number of rows after which this session ends the result of a SELECT without LIMIT, as a text: as a number MySQL
-- takes the greatest for -1. Takes no lock, reads no table.
SELECT concat(@@sql_select_limit, '')
