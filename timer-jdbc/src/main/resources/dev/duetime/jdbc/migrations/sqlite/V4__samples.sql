-- What pages of operators read: what each node delivered lately, and the timers that recur.
CREATE TABLE timer_samples (
    queue       TEXT    NOT NULL,
    node        TEXT    NOT NULL,
    -- When the node wrote it
    taken_at    INTEGER NOT NULL,
    -- How many timers the node was delivering
    in_delivery INTEGER NOT NULL,
    -- How many it delivered in each 15 seconds of the last 15 minutes
    delivered   TEXT    NOT NULL,
    -- How many of the last five minutes were late by how much
    lateness    TEXT    NOT NULL,
    PRIMARY KEY (queue, node)
) STRICT;

-- Serves the page of recurring timers, which are few: it holds no others.
CREATE INDEX timer_schedules_recurring ON timer_schedules (tenant_id, timer_id, scope)
    WHERE state = 'SCHEDULED' AND recurrence IS NOT NULL;
