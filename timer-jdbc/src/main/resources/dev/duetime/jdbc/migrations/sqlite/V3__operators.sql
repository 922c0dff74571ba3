-- Who paused a queue, and why. Nodes of earlier versions leave both columns NULL.
ALTER TABLE timer_pauses ADD COLUMN operator text;
ALTER TABLE timer_pauses ADD COLUMN reason text;
