-- How full free units of a rate are for single tenants. Nodes of earlier versions leave the column as it is: its text
-- names the version of the row that it belongs to. Does nothing the second time.
ALTER TABLE timer_permits ADD COLUMN IF NOT EXISTS levels varchar(60000);

COMMENT ON COLUMN timer_permits.levels IS 'Levels of tenants in free units of a rate, in a form of Duetime; NULL if all have the same';
