-- Finds a row in a state that this version does not know. Such rows count as dead. But a statement that reads them
-- together with dead ones cannot read the index in the order of the keys: it sorts all dead timers for each page. So they
-- are read together only if there are any. Takes no lock. Index: timer_schedules_state alone, with a range for each gap.
SELECT state
FROM timer_schedules FORCE INDEX (timer_schedules_state)
WHERE state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED', 'DEAD')
LIMIT 1
