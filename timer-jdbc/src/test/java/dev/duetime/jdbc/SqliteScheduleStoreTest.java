package dev.duetime.jdbc;

class SqliteScheduleStoreTest extends JdbcScheduleStoreContract {
    SqliteScheduleStoreTest() {
        super(new SqliteDatabases());
    }

    @Override
    String refusingHeaders() {
        return "CREATE TRIGGER refused BEFORE INSERT ON timer_schedules WHEN new.headers IS NOT NULL"
                + " BEGIN SELECT RAISE(ABORT, 'refused'); END";
    }
}
