-- The number of rows after which this session ends the result of a SELECT without LIMIT, as a double. Takes no lock,
-- reads no table.
SELECT CAST(@@sql_select_limit AS double)
