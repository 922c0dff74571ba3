package dev.duetime.jdbc;

class MariaDbScheduleStoreTest extends JdbcScheduleStoreContract {
    MariaDbScheduleStoreTest() {
        super(new MariaDbDatabases());
    }

    @Override
    String forbidding() {
        return "ALTER TABLE timer_schedules ADD CONSTRAINT refused CHECK (type <> 'forbidden')";
    }
}
