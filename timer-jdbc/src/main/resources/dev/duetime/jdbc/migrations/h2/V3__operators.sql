-- Who paused a queue, and why. Nodes of earlier versions leave both columns NULL. Does nothing the second time.
ALTER TABLE timer_pauses ADD COLUMN IF NOT EXISTS operator varchar(255);
ALTER TABLE timer_pauses ADD COLUMN IF NOT EXISTS reason varchar(1000);

COMMENT ON COLUMN timer_pauses.operator IS 'The operator who paused it; NULL if that is not known';
COMMENT ON COLUMN timer_pauses.reason IS 'Why it was paused; NULL if no reason was given';
