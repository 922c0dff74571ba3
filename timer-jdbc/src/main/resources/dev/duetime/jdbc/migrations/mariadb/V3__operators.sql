-- Who paused a queue, and why. Nodes of earlier versions leave both columns NULL. Does nothing the second time.
ALTER TABLE timer_pauses
    ADD COLUMN IF NOT EXISTS operator varchar(255) COMMENT 'The operator who paused it; NULL if that is not known',
    ADD COLUMN IF NOT EXISTS reason varchar(1000) COMMENT 'Why it was paused; NULL if no reason was given';
