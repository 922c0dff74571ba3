-- Who paused a queue, and why. Nodes of earlier versions leave both columns NULL. Does nothing the second time: MySQL
-- has no ADD COLUMN IF NOT EXISTS.
SET @duetime_change = IF(
    EXISTS (
        SELECT 1 FROM information_schema.columns
        WHERE table_schema = database() AND table_name = 'timer_pauses' AND column_name = 'operator'
    ),
    'DO 0',
    'ALTER TABLE timer_pauses
        ADD COLUMN operator varbinary(1020) COMMENT ''The operator who paused it; NULL if that is not known'',
        ADD COLUMN reason varchar(1000) COMMENT ''Why it was paused; NULL if no reason was given'''
);
PREPARE duetime_change FROM @duetime_change;
EXECUTE duetime_change;
DEALLOCATE PREPARE duetime_change;
