package dev.duetime.jdbc;

class PostgresScheduleStoreTest extends JdbcScheduleStoreContract {
    PostgresScheduleStoreTest() {
        super(new PostgresDatabases());
    }
}
