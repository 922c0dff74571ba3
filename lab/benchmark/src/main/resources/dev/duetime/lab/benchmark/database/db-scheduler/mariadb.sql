-- As db-scheduler's own mariadb_tables.sql.
CREATE TABLE scheduled_tasks (
    task_name            varchar(100) NOT NULL,
    task_instance        varchar(100) NOT NULL,
    task_data            blob,
    execution_time       timestamp(6) NOT NULL,
    picked               boolean     NOT NULL,
    picked_by            varchar(50),
    last_success         timestamp(6) NULL,
    last_failure         timestamp(6) NULL,
    consecutive_failures integer,
    last_heartbeat       timestamp(6) NULL,
    version              bigint      NOT NULL,
    priority             smallint,
    PRIMARY KEY (task_name, task_instance)
);
CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
