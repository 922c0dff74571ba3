-- How full free units of a rate are for single tenants. Nodes of earlier versions leave the column as it is: its text
-- names the version of the row that it belongs to. Does nothing the second time: MySQL has no ADD COLUMN IF NOT EXISTS.
SET @duetime_change = IF(
    EXISTS (
        SELECT 1 FROM information_schema.columns
        WHERE table_schema = database() AND table_name = 'timer_permits' AND column_name = 'levels'
    ),
    'DO 0',
    'ALTER TABLE timer_permits
        ADD COLUMN levels text COMMENT ''Levels of tenants in free units of a rate, in a form of Duetime; NULL if all have the same'''
);
PREPARE duetime_change FROM @duetime_change;
EXECUTE duetime_change;
DEALLOCATE PREPARE duetime_change;
