-- As db-scheduler's tables for PostgreSQL, in H2's types.
CREATE TABLE scheduled_tasks (
    task_name            varchar(100) NOT NULL,
    task_instance        varchar(100) NOT NULL,
    task_data            blob,
    execution_time       timestamp(6) with time zone NOT NULL,
    picked               boolean     NOT NULL,
    picked_by            varchar(50),
    last_success         timestamp(6) with time zone,
    last_failure         timestamp(6) with time zone,
    consecutive_failures integer,
    last_heartbeat       timestamp(6) with time zone,
    version              bigint      NOT NULL,
    priority             smallint,
    PRIMARY KEY (task_name, task_instance)
);
CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
