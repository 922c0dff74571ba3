-- Who paused a queue, and why. Nodes of earlier versions leave both columns NULL.
ALTER TABLE timer_pauses ADD COLUMN operator text COLLATE "C";
ALTER TABLE timer_pauses ADD COLUMN reason text COLLATE "C";

COMMENT ON COLUMN timer_pauses.operator IS 'The operator who paused it; NULL if that is not known';
COMMENT ON COLUMN timer_pauses.reason IS 'Why it was paused; NULL if no reason was given';
