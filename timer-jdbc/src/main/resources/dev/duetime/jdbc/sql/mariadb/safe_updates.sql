-- 1 if this session refuses to change rows that it does not find by a key of one table, else 0. Takes no lock, reads no
-- table.
SELECT @@sql_safe_updates
