-- Timers and the ownership of their shards, for MariaDB and MySQL. Plain SQL: may be run by any tool.
-- Times are microseconds since 1970-01-01T00:00Z: exact, and the same in every time zone.
-- Keys are compared character by character, trailing spaces included: the first comment after DEFAULT CHARACTER SET is
-- read by MariaDB only, the second by MySQL 8 only.

CREATE TABLE timer_schedules (
    tenant_id       varchar(255)  NOT NULL COMMENT 'Whose timer it is; first half of the key',
    timer_id        varchar(255)  NOT NULL COMMENT 'Which timer of that tenant; second half of the key',
    queue           varchar(64)   NOT NULL COMMENT 'Where it is delivered',
    shard           int           NOT NULL COMMENT 'The slice of the queue that it lies in; see timer_shards',
    due_at          bigint        NOT NULL COMMENT 'When it is due',
    wake_at         bigint COMMENT 'When the engine looks at it next: due_at or a retry; NULL iff it has ended',
    expires_at      bigint COMMENT 'The last instant at which delivery is still worth it; NULL for ever',
    state           varchar(16)   NOT NULL COMMENT 'SCHEDULED, REACHED, EXPIRED, DEAD or CANCELLED',
    generation      bigint        NOT NULL COMMENT 'Token of the schedule that stands; outcomes of others do not match',
    attempt         int           NOT NULL COMMENT 'How many deliveries were tried and counted',
    revision        int           NOT NULL COMMENT '0 when created, one more by each reschedule',
    type            varchar(255)  NOT NULL COMMENT 'The user''s name for this kind of timer',
    payload         mediumblob    NOT NULL COMMENT 'What it carries; empty for nothing',
    headers         mediumtext COMMENT 'What travels beside the payload: a JSON object of strings; NULL for none',
    priority        int           NOT NULL COMMENT 'Among due timers read together, higher goes first',
    correlation_id  varchar(255) COMMENT 'The user''s id of the conversation that it belongs to',
    parallel_key    varchar(255) COMMENT 'Timers of one key in a queue are delivered one at a time',
    correlation_key varchar(255) COMMENT 'Timers of one key in a queue may be merged',
    recurrence      varchar(1000) COMMENT 'How it recurs; NULL for once',
    step            varchar(255) COMMENT 'Reserved',
    registered_at   bigint        NOT NULL COMMENT 'When the schedule that stands was accepted',
    settled_at      bigint COMMENT 'When it ended; NULL while it is scheduled',
    error           varchar(2000) COMMENT 'Class and message of the last failure; NULL if none',
    first_failed_at bigint COMMENT 'When the first failure happened',
    last_failed_at  bigint COMMENT 'When the last failure happened',
    PRIMARY KEY (tenant_id, timer_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4
    /*M! COLLATE = utf8mb4_nopad_bin */ /*!80017 COLLATE = utf8mb4_0900_bin */
    COMMENT = 'One row a timer. For people: timer_schedules_readable';

-- Serves the poll, which leaves out the rows whose wake_at is NULL.
CREATE INDEX timer_schedules_wake ON timer_schedules (queue, shard, wake_at);

-- Serves the purge.
CREATE INDEX timer_schedules_settled ON timer_schedules (queue, state, settled_at);

CREATE TABLE timer_shards (
    queue       varchar(64)  NOT NULL,
    shard       int          NOT NULL,
    owner       varchar(255) COMMENT 'The node; NULL if it is free',
    epoch       bigint       NOT NULL COMMENT 'Grows with each acquisition',
    lease_until bigint COMMENT 'When the lease is over unless it is renewed; NULL if it is free',
    PRIMARY KEY (queue, shard)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4
    /*M! COLLATE = utf8mb4_nopad_bin */ /*!80017 COLLATE = utf8mb4_0900_bin */
    COMMENT = 'Which node owns which slice of a queue; their number is fixed when the queue is new';

CREATE TABLE timer_nodes (
    queue       varchar(64)  NOT NULL,
    node        varchar(255) NOT NULL,
    alive_until bigint       NOT NULL COMMENT 'Until when the node counts as alive',
    PRIMARY KEY (queue, node)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4
    /*M! COLLATE = utf8mb4_nopad_bin */ /*!80017 COLLATE = utf8mb4_0900_bin */
    COMMENT = 'Nodes that serve a queue, also those that own none of its shards yet';

-- The timers with real timestamps (UTC) and without their payloads, for people.
CREATE VIEW timer_schedules_readable AS
SELECT
    tenant_id,
    timer_id,
    queue,
    shard,
    state,
    timestampadd(MICROSECOND, due_at, timestamp '1970-01-01 00:00:00') AS due_at,
    timestampadd(MICROSECOND, wake_at, timestamp '1970-01-01 00:00:00') AS wake_at,
    timestampadd(MICROSECOND, expires_at, timestamp '1970-01-01 00:00:00') AS expires_at,
    generation,
    attempt,
    revision,
    type,
    octet_length(payload) AS payload_bytes,
    headers,
    priority,
    correlation_id,
    parallel_key,
    correlation_key,
    recurrence,
    step,
    timestampadd(MICROSECOND, registered_at, timestamp '1970-01-01 00:00:00') AS registered_at,
    timestampadd(MICROSECOND, settled_at, timestamp '1970-01-01 00:00:00') AS settled_at,
    error,
    timestampadd(MICROSECOND, first_failed_at, timestamp '1970-01-01 00:00:00') AS first_failed_at,
    timestampadd(MICROSECOND, last_failed_at, timestamp '1970-01-01 00:00:00') AS last_failed_at
FROM timer_schedules;
