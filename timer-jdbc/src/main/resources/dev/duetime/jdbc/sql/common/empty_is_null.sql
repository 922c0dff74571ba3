-- 1 if this session takes an empty text for NULL, else 0. Takes no lock, reads no table.
SELECT CASE WHEN '' IS NULL THEN 1 ELSE 0 END
