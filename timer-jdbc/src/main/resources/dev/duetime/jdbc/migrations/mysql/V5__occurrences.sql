-- What became of the occurrences of recurring timers, for people. Written only if a history is kept.
CREATE TABLE IF NOT EXISTS timer_occurrences (
    tenant_id varbinary(1020) NOT NULL,
    timer_id  varbinary(1020) NOT NULL,
    scope     varbinary(256)  NOT NULL,
    due_at    bigint          NOT NULL COMMENT 'Which occurrence',
    outcome   varchar(16)     NOT NULL COMMENT 'DELIVERED, EXPIRED, DEAD or SKIPPED',
    ended_at  bigint          NOT NULL COMMENT 'When it ended',
    attempts  integer         NOT NULL COMMENT 'How many deliveries were tried',
    error     text COMMENT 'Class and message of the last failure; NULL if none',
    PRIMARY KEY (tenant_id, timer_id, scope, due_at),
    -- Serves the deletion of what is too old.
    INDEX timer_occurrences_ended (ended_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_bin
    COMMENT = 'What became of the occurrences of recurring timers, for people';
