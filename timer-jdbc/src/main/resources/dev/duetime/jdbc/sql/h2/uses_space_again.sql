-- A row if the database is a file, and writes commits also where older ones stood. Takes no lock.
SELECT database_path()
 WHERE database_path() IS NOT NULL
   AND EXISTS (SELECT 1 FROM information_schema.settings WHERE setting_name = 'REUSE_SPACE' AND setting_value = 'true')
