-- As db-scheduler's tables for PostgreSQL, in SQLite's types.
CREATE TABLE scheduled_tasks (
    task_name            text        NOT NULL,
    task_instance        text        NOT NULL,
    task_data            blob,
    execution_time       timestamp NOT NULL,
    picked               boolean     NOT NULL,
    picked_by            text,
    last_success         timestamp,
    last_failure         timestamp,
    consecutive_failures integer,
    last_heartbeat       timestamp,
    version              bigint      NOT NULL,
    priority             smallint,
    PRIMARY KEY (task_name, task_instance)
);
CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
