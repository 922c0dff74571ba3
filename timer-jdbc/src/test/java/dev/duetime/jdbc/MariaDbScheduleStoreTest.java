package dev.duetime.jdbc;

class MariaDbScheduleStoreTest extends JdbcScheduleStoreContract {
    MariaDbScheduleStoreTest() {
        super(new MariaDbDatabases());
    }

    @Override
    String refusingHeaders() {
        return "ALTER TABLE timer_schedules MODIFY headers INT";
    }
}
