package dev.duetime.jdbc;

class SqliteScheduleStoreTest extends JdbcScheduleStoreContract {
    SqliteScheduleStoreTest() {
        super(new SqliteDatabases());
    }

    @Override
    String forbidding() {
        return "CREATE TRIGGER refused BEFORE INSERT ON timer_schedules WHEN new.type = 'forbidden'"
                + " BEGIN SELECT RAISE(ABORT, 'refused'); END";
    }
}
