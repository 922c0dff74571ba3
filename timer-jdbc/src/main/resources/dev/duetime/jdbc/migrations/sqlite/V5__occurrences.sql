-- What became of the occurrences of recurring timers, for people. Written only if a history is kept.
CREATE TABLE timer_occurrences (
    tenant_id TEXT    NOT NULL,
    timer_id  TEXT    NOT NULL,
    scope     TEXT    NOT NULL,
    -- Which occurrence
    due_at    INTEGER NOT NULL,
    -- DELIVERED, EXPIRED, DEAD or SKIPPED
    outcome   TEXT    NOT NULL,
    -- When it ended
    ended_at  INTEGER NOT NULL,
    -- How many deliveries were tried
    attempts  INTEGER NOT NULL,
    -- Class and message of the last failure; NULL if none
    error     TEXT,
    PRIMARY KEY (tenant_id, timer_id, scope, due_at)
) STRICT;

-- Serves the deletion of what is too old.
CREATE INDEX timer_occurrences_ended ON timer_occurrences (ended_at);
