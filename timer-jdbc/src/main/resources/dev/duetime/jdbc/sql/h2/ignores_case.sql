-- 1 if this database ignores case when it compares text, else 0. The database's mode may refuse LIMIT, which other
-- statements need. Takes no lock, reads no table.
SELECT CASE WHEN CAST('a' AS varchar(1)) = CAST('A' AS varchar(1)) THEN 1 ELSE 0 END LIMIT 1
