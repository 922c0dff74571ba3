package dev.duetime.jdbc;

class PostgresScheduleStoreTest extends JdbcScheduleStoreContract {
    PostgresScheduleStoreTest() {
        super(new PostgresDatabases());
    }

    @Override
    String refusingHeaders() {
        return "ALTER TABLE timer_schedules ADD CONSTRAINT refused CHECK (headers IS NULL)";
    }
}
